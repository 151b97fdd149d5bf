package org.gelato.ce.ws.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.lrms.DiagnosticCommands;
import org.gelato.ce.core.monitoring.JobSearch;
import org.gelato.ce.json.SiteJob;

/** Jobs as the page gets them. */
final class JobDocuments {
    /** What a job waits for, or does, while it is in a state. */
    private static final Map<JobState, String> STAGES = Map.of(
            JobState.REGISTERED, "waits for its start",
            JobState.PENDING, "hand-over to the batch system",
            JobState.IDLE, "in the batch system's queue",
            JobState.RUNNING, "wrapper, before the payload",
            JobState.REALLY_RUNNING, "payload and output",
            JobState.HELD, "held");

    private JobDocuments() {}

    static Map<String, Object> job(JobSearch.Found found) {
        SiteJob job = found.job();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", job.id());
        json.put("dn", job.dn());
        json.put("fqan", job.fqan() == null ? "" : job.fqan());
        json.put("vo", job.vo());
        json.put("account", job.account());
        json.put("state", job.state());
        json.put("since", job.since());
        json.put("registered", job.registered());
        json.put("handedOver", found.handedOver());
        json.put("running", job.running());
        json.put("ended", job.ended());
        json.put("queue", job.lrms() + "-" + job.queue());
        json.put("batchId", job.lrmsJobId());
        json.put("node", job.workerNode());
        json.put("exitCode", job.exitCode());
        json.put("reason", Foreign.text(found.reason()));
        json.put("description", Foreign.text(found.description()));
        return json;
    }

    /** What support types about a job, on the hosts of the CE and of the batch system. */
    private static List<String> support(SiteJob job, DiagnosticCommands look) {
        List<String> commands = new ArrayList<>();
        commands.add("ce server whois " + job.id());
        commands.add("ce audit --job " + job.id());
        commands.addAll(look.ofJob(job.lrmsJobId()));
        commands.add("ce server logs --job " + job.id());
        return commands;
    }

    /**
     * @param look how an administrator looks at the batch system
     * @param now the end of the stage of a job that has not ended
     */
    static Map<String, Object> timeline(JobSearch.Timeline timeline, DiagnosticCommands look, Instant now) {
        Map<String, Object> json = new LinkedHashMap<>();
        Map<String, Object> job = job(timeline.job());
        job.put("name", timeline.labels().name());
        job.put("labels", timeline.labels().labels());
        json.put("job", job);
        json.put("support", support(timeline.job().job(), look));
        json.put("stages", stages(timeline.states(), now));
        json.put(
                "commands",
                timeline.commands().stream().map(JobDocuments::command).toList());
        return json;
    }

    private static List<Map<String, Object>> stages(List<JobSearch.State> states, Instant now) {
        List<Map<String, Object>> stages = new ArrayList<>();
        for (int i = 0; i < states.size(); i++) {
            JobSearch.State state = states.get(i);
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("state", state.state().wireName());
            json.put("what", STAGES.getOrDefault(state.state(), "ended"));
            json.put("begin", state.at());
            if (!state.state().isFinal()) {
                Instant end = i + 1 < states.size() ? states.get(i + 1).at() : now;
                // Clocks of worker nodes differ.
                json.put(
                        "seconds", Math.max(0, Duration.between(state.at(), end).toMillis() / 1e3));
            }
            json.put("reason", Foreign.text(state.reason()));
            json.put("description", Foreign.text(state.description()));
            stages.add(json);
        }
        return stages;
    }

    private static Map<String, Object> command(CommandRecord command) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", command.kind().name());
        json.put("state", command.state().name());
        json.put("created", command.created());
        json.put("started", command.started());
        json.put("completed", command.completed());
        json.put("tries", command.tries());
        json.put("reason", Foreign.text(command.failureReason()));
        return json;
    }
}
