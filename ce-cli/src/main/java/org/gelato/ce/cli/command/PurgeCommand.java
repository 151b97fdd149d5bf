package org.gelato.ce.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.cli.choice.AgeText;
import org.gelato.ce.cli.choice.JobChoice;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.wire.Answer;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ce purge}: removes ended jobs with their output; silent on success. */
@Command(name = "purge", description = "Removes ended jobs and their output from the CE.")
public final class PurgeCommand extends JobCommand {
    @Option(
            names = "--older-than",
            paramLabel = "AGE",
            converter = AgeText.class,
            description = "All your ended jobs registered longer ago: " + AgeText.FORM + ".")
    private Duration olderThan;

    public PurgeCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    @Override
    JobChoice.Chosen chosen() {
        if (olderThan == null) {
            return super.chosen();
        }
        JobSelector given = all().criteria();
        Instant before = context.clock().instant().minus(olderThan);
        Instant to = given.to() == null || given.to().isAfter(before) ? before : given.to();
        if (given.from() != null && given.from().isAfter(to)) {
            throw usage("no job is registered after --from and longer ago than --older-than");
        }
        JobSelector old =
                new JobSelector(List.of(), given.states(), given.from(), to, given.delegationId(), given.leaseId());
        ComputingElement ce = connectToNamed();
        // Named one by one, so that they are sent in bounded requests and can be counted; what began meanwhile is not
        // among them.
        List<JobUrl> ended = ce.status(old).stream()
                .filter(answer -> answer.fault() == null && answer.value().isFinal())
                .map(answer -> new JobUrl(ce.endpoint(), answer.subject()))
                .toList();
        if (!options.json()) {
            context.err()
                    .println(ended.size() + " ended jobs are older than " + AgeText.of(olderThan)
                            + (ended.isEmpty() ? "" : "; they are being purged"));
        }
        return new JobChoice.Chosen(ended, JobSelector.ALL);
    }

    @Override
    boolean isNothing(JobChoice.Chosen chosen) {
        // No names would mean all jobs.
        return olderThan != null && chosen.jobs().isEmpty();
    }

    @Override
    List<Answer<Void>> apply(ComputingElement ce, JobSelector jobs) {
        return ce.purge(jobs);
    }
}
