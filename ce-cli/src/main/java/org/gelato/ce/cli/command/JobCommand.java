package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.cli.choice.JobChoice;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.Answer;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.WireFault;
import picocli.CommandLine.Mixin;

/** A command the CE carries out later on jobs it agreed to: only refusals come back. */
abstract class JobCommand extends CeCommand {
    @Mixin
    private JobChoice choice = new JobChoice();

    JobCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    /** What the CE has agreed to do, as the beginning of a sentence. */
    abstract String done();

    /** Sends the command. @return the refusals */
    abstract List<Answer<Void>> apply(ComputingElement ce, JobSelector jobs);

    @Override
    public Integer call() {
        return apply(chosen());
    }

    /** The jobs that are meant. */
    JobChoice.Chosen chosen() {
        return choice.ofChange(context.in(), named());
    }

    /** Whether no job is named or described. */
    final boolean namesNothing() {
        return choice.isEmpty();
    }

    /** Sends the command for these jobs, and reports. */
    final int apply(JobChoice.Chosen chosen) {
        List<JobAnswer<Void>> refusals = ask(chosen, this::apply);
        refusals.forEach(refusal -> fail(refusal.job(), refusal.answer().fault().message()));
        int agreed = chosen.jobs().size() - failures();
        if (chosen.jobs().isEmpty()) {
            summarize(done() + " for all your jobs that meet the criteria");
        } else if (agreed > 0) {
            summarize(done() + " for " + jobs(agreed));
        }
        if (options.json()) {
            Json.print(context.out(), json(refusals));
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    private static ObjectNode json(List<JobAnswer<Void>> refusals) {
        Map<JobUrl, WireFault> faults = refusals.stream()
                .collect(Collectors.toMap(
                        JobAnswer::job, r -> r.answer().fault(), (a, b) -> a, java.util.LinkedHashMap::new));
        ObjectNode root = Json.object();
        ArrayNode refused = root.putArray("refused");
        faults.forEach((job, fault) -> Json.fault(refused.addObject().put("id", job.toString()), fault));
        return root;
    }
}
