package org.gelato.ce.cli.soap;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.jdl.JdlSyntaxException;
import org.gelato.ce.cli.jdl.JdlText;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.cli.wire.ServiceReport;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.UsageReport;
import org.gelato.ce.cli.wsdl.cream2.Command;
import org.gelato.ce.cli.wsdl.cream2.JobInfo;
import org.gelato.ce.cli.wsdl.cream2.Property;
import org.gelato.ce.cli.wsdl.cream2.ServiceInfo;
import org.gelato.ce.cli.wsdl.cream2.Status;

/**
 * Translates the wire's types. A server may leave out what docs/developer/protocol/cream2-wire.md section 4 wants: absent stays null,
 * but a job without state is refused.
 */
final class Reports {
    private Reports() {}

    static StatusReport status(Status s) {
        if (s.getName() == null) {
            throw new CliException("the CE sent a job without its state");
        }
        return new StatusReport(
                s.getName(),
                WireTimes.instant(s.getTimestamp()),
                s.getExitCode(),
                s.getFailureReason(),
                s.getDescription());
    }

    static JobReport job(JobInfo i) {
        List<StatusReport> history = i.getStatus().stream().map(Reports::status).toList();
        if (history.isEmpty()) {
            throw new CliException("the CE sent a job without its state");
        }
        return new JobReport(
                i.getGridJobId(),
                i.getLRMSJobId(),
                i.getDelegationProxyId(),
                i.getDelegationProxyInfo(),
                i.getWorkerNode(),
                i.getLocalUser(),
                i.getWorkingDirectory(),
                i.getJDL(),
                i.getType(),
                i.getLease() == null ? null : i.getLease().getLeaseId(),
                i.getLease() == null ? null : WireTimes.instant(i.getLease().getLeaseTime()),
                history,
                i.getLastCommand().stream().map(Reports::command).toList(),
                i.getJobId() == null
                        ? null
                        : UsageReport.of(properties(i.getJobId().getProperty())),
                name(i.getJDL()),
                null);
    }

    /** Of a description that is JDL; null for none. */
    private static String name(String description) {
        try {
            return description == null || Language.of(description) != Language.JDL
                    ? null
                    : JdlText.of(description).string("JobName").orElse(null);
        } catch (JdlSyntaxException e) {
            return null;
        }
    }

    private static JobReport.CommandReport command(Command c) {
        return new JobReport.CommandReport(
                c.getName() == null ? "?" : c.getName(),
                c.getCategory(),
                c.getStatus() == null ? "?" : c.getStatus(),
                c.getFailureReason(),
                WireTimes.instant(c.getCreationTime()),
                WireTimes.instant(c.getExecutionCompletedTime()));
    }

    static ServiceReport service(ServiceInfo s) {
        return new ServiceReport(
                s.getInterfaceVersion(),
                s.getServiceVersion(),
                s.getDescription(),
                WireTimes.instant(s.getStartupTime()),
                s.isDoesAcceptNewJobSubmissions(),
                s.getStatus(),
                properties(s.getProperty()),
                s.getMessage().stream()
                        .map(m -> m.getType() + ": " + m.getMessage())
                        .toList());
    }

    private static Map<String, String> properties(List<Property> wire) {
        Map<String, String> properties = new LinkedHashMap<>();
        wire.forEach(p -> properties.put(p.getName(), p.getValue()));
        return properties;
    }
}
