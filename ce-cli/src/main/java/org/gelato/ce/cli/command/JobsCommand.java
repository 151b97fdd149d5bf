package org.gelato.ce.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.context.AgeText;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.States;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.SiteJobFilter;
import org.gelato.ce.json.SiteJob;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ce jobs}: the jobs of all users of a CE, a line each; for its administrators. */
@Command(
        name = "jobs",
        description = "Lists the jobs of all users of a CE that have not ended, a line each; for its administrators.")
public final class JobsCommand extends CeCommand {
    private static final List<String> NOT_ENDED =
            List.of("REGISTERED", "PENDING", "IDLE", "RUNNING", "REALLY-RUNNING", "HELD");
    private static final String ROW = "%-14s %-14s %5s %-10s %-12s %-16s %-12s %-20s %s%n";

    @Option(
            names = "--dn",
            paramLabel = "DN",
            description =
                    "Only of this user: /DC=org/CN=Some Body or CN=Some Body,DC=org; of a token's ISSUER,SUBJECT.")
    private String dn;

    @Option(names = "--vo", paramLabel = "VO", description = "Only of this VO.")
    private String vo;

    @Option(names = "--account", paramLabel = "NAME", description = "Only of this local account.")
    private String account;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description = "Only in these states, those of ended jobs included; repeat it or separate by commas.")
    private List<String> states = new ArrayList<>();

    @Option(names = "--queue", paramLabel = "NAME", description = "Only of this queue of the batch system.")
    private String queue;

    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            converter = AgeText.class,
            description = "Only registered longer ago: " + AgeText.FORM + ".")
    private Duration olderThan;

    @Option(names = "--all", description = "Also jobs that have ended.")
    private boolean all;

    @Option(
            names = "--watch",
            paramLabel = "AGE",
            converter = AgeText.class,
            description = "List them again after each such time, until interrupted.")
    private Duration watch;

    public JobsCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        if (watch != null && (options.json() || watch.isZero())) {
            throw usage("--watch needs at least 1s, and does not go with --json");
        }
        if (all && !states.isEmpty()) {
            throw usage("--all and --state do not go together");
        }
        List<String> chosen;
        try {
            chosen = all ? List.of() : states.isEmpty() ? NOT_ENDED : States.of(states);
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
        ComputingElement ce = connectToNamed();
        if (options.json()) {
            printJson(ce, chosen);
            return ExitCode.OK;
        }
        print(ce, chosen);
        while (watch != null) {
            try {
                context.pause().sleep(watch);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CliException("interrupted", e);
            }
            print(ce, chosen);
        }
        return ExitCode.OK;
    }

    private SiteJobFilter filter(List<String> chosen, Instant now) {
        return new SiteJobFilter(
                dn, vo, account, chosen, queue, olderThan == null ? null : now.minus(olderThan), null, null, null);
    }

    private void print(ComputingElement ce, List<String> chosen) {
        Instant now = context.clock().instant();
        if (watch != null) {
            context.out().println(now);
        }
        context.out().printf(ROW, "ID", "STATE", "AGE", "VO", "ACCOUNT", "QUEUE", "BATCH ID", "NODE", "OWNER");
        int[] count = new int[1];
        ce.siteJobs(filter(chosen, now), job -> {
            count[0]++;
            context.out()
                    .printf(
                            ROW,
                            Printable.line(job.id()),
                            Printable.line(job.state()),
                            AgeText.of(Duration.between(job.registered(), now)),
                            cell(job.vo()),
                            cell(job.account()),
                            cell(job.lrms() + "-" + job.queue()),
                            cell(job.lrmsJobId()),
                            cell(job.workerNode()),
                            Printable.line(job.dn()));
        });
        context.err().println(count[0] + (count[0] == 1 ? " job" : " jobs"));
    }

    private static String cell(String text) {
        return text == null ? "-" : Printable.line(text);
    }

    private void printJson(ComputingElement ce, List<String> chosen) {
        List<SiteJob> jobs = new ArrayList<>();
        ce.siteJobs(filter(chosen, context.clock().instant()), jobs::add);
        JsonResult.print(context.out(), Map.of("jobs", jobs));
    }
}
