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

    /** Sends the command. @return the refusals */
    abstract List<Answer<Void>> apply(ComputingElement ce, JobSelector jobs);

    /** The jobs that are meant. */
    JobChoice.Chosen chosen() {
        return choice.ofChange(context.in(), named());
    }

    /** All jobs that meet the criteria; names of jobs are refused. */
    final JobChoice.Chosen all() {
        return choice.ofAll(context.in(), named());
    }

    /** Whether there is anything to send; with a choice by age there may be nothing. */
    boolean isNothing(JobChoice.Chosen chosen) {
        return false;
    }

    @Override
    public Integer call() {
        JobChoice.Chosen chosen = chosen();
        List<JobAnswer<Void>> refusals = isNothing(chosen) ? List.of() : ask(chosen, this::apply);
        refusals.forEach(refusal -> fail(refusal.job(), refusal.answer().fault().message()));
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
