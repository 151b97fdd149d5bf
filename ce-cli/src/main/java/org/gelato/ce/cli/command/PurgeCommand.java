package org.gelato.ce.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.cli.context.AgeText;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Response;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ce purge}: removes ended jobs with their output. */
@Command(
        name = "purge",
        description = "Removes ended jobs and their output from the CE.",
        footer = {"", "An administrator's --older-than is about the jobs of all users."})
public final class PurgeCommand extends JobCommand {
    private static final List<String> ENDED = List.of("DONE-OK", "DONE-FAILED", "CANCELLED", "ABORTED");

    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            converter = AgeText.class,
            description =
                    "Instead of named jobs: all that have ended and were registered longer ago: " + AgeText.FORM + ".")
    private Duration olderThan;

    public PurgeCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    public Integer call() {
        if (olderThan == null) {
            return super.call();
        }
        if (!namesNothing()) {
            throw usage("--older-than does not go with names of jobs, --all or other criteria");
        }
        ComputingElement ce = connectToNamed();
        Instant latest = context.clock().instant().minus(olderThan);
        List<JobUrl> old = ce.status(new JobSelector(List.of(), ENDED, null, latest, null, null)).stream()
                // What the CE makes of the states is not relied on.
                .filter(response -> response.value() != null && response.value().isFinal())
                .map(response -> new JobUrl(ce.endpoint(), response.subject()))
                .toList();
        // Without a name the CE would take all jobs.
        if (old.isEmpty()) {
            summarize("no ended job was registered before " + latest);
            if (options.json()) {
                JsonResult.print(
                        context.out(),
                        JsonResult.object().set("refused", JsonResult.object().arrayNode()));
            }
            return ExitCode.OK;
        }
        return apply(new ChosenJobs.Chosen(old, new JobSelector(List.of(), List.of(), null, null, null, null)));
    }

    @Override
    String done() {
        return "removal requested";
    }

    @Override
    List<Response<Void>> apply(ComputingElement ce, JobSelector jobs) {
        return ce.purge(jobs);
    }
}
