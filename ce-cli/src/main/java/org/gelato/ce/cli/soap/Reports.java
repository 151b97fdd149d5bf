package org.gelato.ce.cli.soap;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.cli.description.JdlText;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.ServiceReport;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.json.JobDetail;

/**
 * Translates the wire's types. A server may leave out what docs/developer/protocol/cream2-wire.md section 4 wants: absent stays null,
 * but a job without state is refused.
 */
final class Reports {
    /** As XML Schema has it. */
    private static final Set<String> TRUE = Set.of("true", "1");

    private Reports() {}

    static StatusReport status(Element s) {
        if (s.text("name") == null) {
            throw new CliException("the CE sent a job without its state");
        }
        return new StatusReport(
                s.text("name"),
                s.time("timestamp"),
                s.text("exitCode"),
                s.text("failureReason"),
                s.text("description"));
    }

    static JobReport job(Element i) {
        List<StatusReport> history =
                i.children("status").stream().map(Reports::status).toList();
        if (history.isEmpty()) {
            throw new CliException("the CE sent a job without its state");
        }
        Element lease = i.child("lease");
        Element id = i.child("jobId");
        return new JobReport(
                i.text("GridJobId"),
                i.text("LRMSJobId"),
                i.text("delegationProxyId"),
                i.text("delegationProxyInfo"),
                i.text("workerNode"),
                i.text("localUser"),
                i.text("workingDirectory"),
                i.text("JDL"),
                i.text("type"),
                lease == null ? null : lease.text("leaseId"),
                lease == null ? null : lease.time("leaseTime"),
                history,
                i.children("lastCommand").stream().map(Reports::command).toList(),
                id == null ? Map.of() : JobDetail.ofProperties(id.properties()),
                JdlText.string(i.text("JDL"), "JobName").orElse(null),
                JdlText.strings(i.text("JDL"), "Labels"));
    }

    private static JobReport.CommandReport command(Element c) {
        return new JobReport.CommandReport(
                c.text("name") == null ? "?" : c.text("name"),
                c.text("category"),
                c.text("status") == null ? "?" : c.text("status"),
                c.text("failureReason"),
                c.time("creationTime"),
                c.time("executionCompletedTime"));
    }

    static ServiceReport service(Element s) {
        String accepts = s.text("doesAcceptNewJobSubmissions");
        return new ServiceReport(
                s.text("interfaceVersion"),
                s.text("serviceVersion"),
                s.text("description"),
                s.time("startupTime"),
                accepts != null && TRUE.contains(accepts.strip()),
                s.text("status"),
                s.properties(),
                s.children("message").stream()
                        .map(m -> m.text("type") + ": " + m.text("message"))
                        .toList());
    }
}
