package org.gelato.ce.core.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.Lrms;

/**
 * Executes JOB_CANCEL: one batch command for all jobs of an account. The job's state changes when the batch system or the
 * wrapper reports the end. Never blocks.
 */
public final class CancelInLrms {
    private static final Duration RETRY = Duration.ofSeconds(10);

    private final Map<String, Lrms> lrms;

    private record Target(String lrms, String account) {}

    public CancelInLrms(Map<String, Lrms> lrms) {
        this.lrms = lrms;
    }

    void execute(List<ClaimedCommand> commands, Consumer<CommandOutcome> outcomes) {
        Map<Target, List<ClaimedCommand>> targets = new HashMap<>();
        for (ClaimedCommand c : commands) {
            if (!JobState.IN_LRMS.contains(c.job().state())) {
                outcomes.accept(new CommandOutcome.Failed(c, "status not compatible with the specified command!"));
            } else if (c.job().lrmsId() == null) {
                outcomes.accept(new CommandOutcome.Later(c, RETRY, false, "the LRMS id is not known yet"));
            } else if (!lrms.containsKey(c.lrms())) {
                outcomes.accept(new CommandOutcome.Failed(c, "batch system " + c.lrms() + " is not configured"));
            } else {
                targets.computeIfAbsent(new Target(c.lrms(), c.account()), x -> new ArrayList<>())
                        .add(c);
            }
        }
        targets.forEach((target, list) -> cancel(target, list, outcomes));
    }

    private void cancel(Target target, List<ClaimedCommand> commands, Consumer<CommandOutcome> outcomes) {
        List<String> ids = commands.stream().map(c -> c.job().lrmsId()).toList();
        lrms.get(target.lrms()).cancel(target.account(), ids).whenComplete((answers, e) -> {
            for (ClaimedCommand c : commands) {
                String words = e == null ? answers.get(c.job().lrmsId()) : null;
                if (e != null) {
                    outcomes.accept(new CommandOutcome.Later(c, RETRY, false, e.toString()));
                } else if (words != null) {
                    outcomes.accept(new CommandOutcome.Failed(c, words));
                } else {
                    outcomes.accept(new CommandOutcome.Done(c));
                }
            }
        });
    }
}
