package org.gelato.ce.cli.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.TimeText;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.SiteJobFilter;
import org.gelato.ce.json.SiteJob;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code ce whois}: whose a job is, by its id, its id in the batch system, or an account and a time. */
@Command(
        name = "whois",
        description = "Shows who ran a job; for the administrators of a CE.",
        footer = {
            "",
            "A batch system may give an id twice: all jobs that had it are shown, oldest first.",
            "Jobs that were purged are not in the CE's database any more; its audit log has them.",
            "Exit code: 0 found, 1 none found (or no response), 2 wrong command line."
        })
public final class WhoisCommand extends CeCommand {
    private static final Pattern JOB = Pattern.compile("(?:https://[^/]+/)?(CREAM\\d{9})");

    @Parameters(
            paramLabel = "BATCHID|JOBID|ACCOUNT@TIME",
            hideParamSyntax = true,
            description = "Id in the batch system, id or URL of the job, or a local account and a time: "
                    + TimeText.FORM + ".")
    private String wanted;

    public WhoisCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        if (wanted.isBlank()) {
            throw usage("name a job, or an account and a time");
        }
        SiteJobFilter filter = filter(wanted.strip());
        List<SiteJob> jobs = new ArrayList<>();
        connectToNamed().siteJobs(filter, jobs::add);
        if (options.json()) {
            JsonResult.print(context.out(), Map.of("jobs", jobs));
        } else {
            jobs.forEach(this::print);
        }
        if (jobs.isEmpty()) {
            fail(Printable.line(wanted), "no job in the CE's database; what was purged is in the CE's audit log");
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    private SiteJobFilter filter(String text) {
        var job = JOB.matcher(text);
        if (job.matches()) {
            return new SiteJobFilter(null, null, null, List.of(), null, null, job.group(1), null, null);
        }
        int at = text.indexOf('@');
        if (at < 0) {
            return new SiteJobFilter(null, null, null, List.of(), null, null, null, text, null);
        }
        if (at == 0) {
            throw usage("no account before the @ of " + text);
        }
        try {
            Instant time = new TimeText().convert(text.substring(at + 1));
            return new SiteJobFilter(null, null, text.substring(0, at), List.of(), null, null, null, null, time);
        } catch (TypeConversionException e) {
            throw usage(e.getMessage());
        }
    }

    private void print(SiteJob job) {
        context.out()
                .println(Printable.line(job.id()) + " " + Printable.line(job.state())
                        + (job.exitCode() == null ? "" : " exit=" + Printable.line(job.exitCode())));
        row("user", job.dn());
        row("attribute", job.fqan());
        row("VO", job.vo());
        row("account", job.account());
        row(
                "batch job",
                job.lrmsJobId() == null ? null : job.lrmsJobId() + " (" + job.lrms() + "-" + job.queue() + ")");
        row("node", job.workerNode());
        row("registered", job.registered().toString());
        row("running", job.running() == null ? null : job.running().toString());
        row("ended", job.ended() == null ? null : job.ended().toString());
    }

    private void row(String label, String value) {
        if (value != null) {
            context.out().printf("  %-10s %s%n", label, Printable.line(value));
        }
    }
}
