package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.cli.context.ChosenJobs;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.terminal.ExitCode;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.WireFault;
import picocli.CommandLine.Mixin;

/** A command on jobs: carried out by the CE, mostly later, for each that it does not refuse. */
abstract class JobCommand extends CeCommand {
    /** Of more the CE is not asked what became of the command. */
    private static final int MAX_AWAITED = 100;

    @Mixin
    private ChosenJobs choice = new ChosenJobs();

    JobCommand(CliContext context, CommonOptions options) {
        super(context, options);
    }

    /** What the CE has agreed to do, as the beginning of a sentence. */
    abstract String done();

    /** The wire's name of the command, where a batch system may not be able to carry it out; null for any other. */
    String awaited() {
        return null;
    }

    /** What the command does when it is carried out, as the beginning of a sentence. */
    String carriedOut() {
        return done();
    }

    /** Sends the command. @return the refusals */
    abstract List<Response<Void>> apply(ComputingElement ce, JobSelector jobs);

    @Override
    public Integer call() {
        return apply(chosen());
    }

    @Override
    final String unclear() {
        return "; it is not known whether the CE has got this command: ce status shows how the jobs stand, and the command can be"
                + " repeated";
    }

    /** The jobs that are meant. */
    ChosenJobs.Chosen chosen() {
        return choice.ofChange(context.in(), named());
    }

    /** Whether no job is named or described. */
    final boolean namesNothing() {
        return choice.isEmpty();
    }

    /** Sends the command for these jobs, and reports the result of each. */
    final int apply(ChosenJobs.Chosen wanted) {
        ChosenJobs.Chosen chosen = byId(wanted).orElse(null);
        if (chosen == null) {
            if (options.json()) {
                ObjectNode none = json(List.of());
                none.putArray("agreed");
                JsonResult.print(context.out(), none);
            }
            return failed() ? ExitCode.FAILED : ExitCode.OK;
        }
        Set<JobUrl> agreed = new LinkedHashSet<>();
        List<JobResponse<Void>> refusals = ask(chosen, (ce, jobs) -> {
            List<Response<Void>> refused = apply(ce, jobs);
            jobs.localIds().forEach(id -> agreed.add(new JobUrl(ce.endpoint(), id)));
            return refused;
        });
        refusals.forEach(refusal -> {
            agreed.remove(refusal.job());
            fail(refusal.job(), refusal.response().fault().advised());
        });
        List<JobResponse<Void>> undone = new ArrayList<>(refusals);
        if (chosen.jobs().isEmpty()) {
            summarize(done() + " for all your " + (failed() ? "other " : "") + "jobs that meet the criteria");
        } else if (awaited() != null && agreed.size() <= MAX_AWAITED) {
            undone.addAll(await(agreed));
        } else if (!agreed.isEmpty()) {
            summarize(done() + " for " + jobs(agreed.size()));
        }
        if (options.json()) {
            ObjectNode root = json(undone);
            ArrayNode ids = root.putArray("agreed");
            agreed.forEach(job -> ids.add(job.toString()));
            JsonResult.print(context.out(), root);
        }
        return failed() ? ExitCode.FAILED : ExitCode.OK;
    }

    /**
     * Waits a moment for what becomes of the command, and reports it.
     *
     * @param agreed loses those for which it was not carried out
     * @return these
     */
    private List<JobResponse<Void>> await(Set<JobUrl> agreed) {
        CommandOutcomes outcomes = CommandOutcomes.of(awaited(), agreed, this::connect, context);
        List<JobResponse<Void>> undone = new ArrayList<>();
        outcomes.failed().forEach((job, reason) -> {
            WireFault fault = new WireFault("CommandFault", null, reason, null);
            agreed.remove(job);
            fail(job, fault.message());
            undone.add(new JobResponse<>(job, Response.refused(job.localId(), fault)));
        });
        if (!outcomes.done().isEmpty()) {
            summarize(carriedOut() + " " + jobs(outcomes.done().size()));
        }
        if (!outcomes.open().isEmpty()) {
            summarize(done() + " for " + jobs(outcomes.open().size()));
        }
        return undone;
    }

    private static ObjectNode json(List<JobResponse<Void>> refusals) {
        Map<JobUrl, WireFault> faults = refusals.stream()
                .collect(Collectors.toMap(
                        JobResponse::job, r -> r.response().fault(), (a, b) -> a, java.util.LinkedHashMap::new));
        ObjectNode root = JsonResult.object();
        ArrayNode refused = root.putArray("refused");
        faults.forEach((job, fault) -> JsonResult.fault(refused.addObject().put("id", job.toString()), fault));
        return root;
    }
}
