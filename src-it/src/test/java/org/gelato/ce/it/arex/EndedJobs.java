package org.gelato.ce.it.arex;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;

/**
 * Jobs that end in different ways at one server, and what it shows of each. A-REX renews what {@code action=info} shows once a
 * minute, so they are submitted first and looked at last.
 */
final class EndedJobs {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Map<String, String> JSON = Map.of("Accept", "application/json");
    private static final List<String> FINAL = List.of("FINISHED", "FAILED", "KILLED");
    static final String KILLED = "killed";
    private static final Map<String, String> WAYS =
            Map.of("exit code 0", "exit 0", "exit code 3", "exit 3", "exit code 137", "exit 137", KILLED, "sleep 600");

    private final Requests server;
    private final Map<String, String> ids = new LinkedHashMap<>();

    /** Sends a request below the root of the interface. */
    interface Requests {
        /** @return the body of the response, which is JSON */
        String send(String method, String target, Map<String, String> headers, String body);
    }

    /**
     * What is shown of a job that has ended.
     *
     * @param status by {@code action=status}
     * @param listed under which states {@code GET /jobs} lists it
     * @param info by the {@code State} of {@code action=info} that begins with {@code arcrest:}
     * @param exitCode of {@code action=info}; empty without
     * @param error of {@code action=info} where the job ended by itself; otherwise whether there is one
     */
    record End(String status, Set<String> listed, String info, String exitCode, String error) {
        End withListed(String state) {
            return new End(status, Set.of(state), info, exitCode, error);
        }
    }

    EndedJobs(Requests server) {
        this.server = server;
        WAYS.forEach((way, command) -> ids.put(
                way,
                jobs(server.send(
                                "POST",
                                "/1.0/jobs?action=new",
                                JSON,
                                "&(executable=/bin/sh)(arguments=\"-c\" \"" + command + "\")(queue=long)"))
                        .get(0)
                        .path("id")
                        .asText()));
        act("kill", KILLED);
    }

    private JsonNode act(String action, String way) {
        return jobs(server.send(
                        "POST",
                        "/1.0/jobs?action=" + action,
                        Map.of("Accept", "application/json", "Content-Type", "application/json"),
                        "{\"job\":[{\"id\":\"" + ids.get(way) + "\"}]}"))
                .get(0);
    }

    /** Waits until all have ended, also by {@code action=info}. */
    Map<String, End> ends() {
        Map<String, End> ends = new LinkedHashMap<>();
        Map<String, JsonNode> documents = new LinkedHashMap<>();
        for (String way : new TreeSet<>(ids.keySet())) {
            Awaitility.await(way)
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() ->
                            FINAL.contains(arcState(documents.merge(way, act("info", way), (before, now) -> now))));
            JsonNode activity = documents.get(way).at("/info_document/ComputingActivity");
            ends.put(
                    way,
                    new End(
                            act("status", way).path("state").asText(),
                            listed(ids.get(way)),
                            arcState(documents.get(way)),
                            activity.path("ExitCode").asText(),
                            way.equals(KILLED)
                                    ? "" + activity.has("Error")
                                    : activity.path("Error").isArray()
                                            ? activity.at("/Error/0").asText()
                                            : activity.path("Error").asText()));
        }
        return ends;
    }

    private Set<String> listed(String id) {
        Set<String> states = new TreeSet<>();
        for (String state : FINAL) {
            jobs(server.send("GET", "/1.0/jobs?state=" + state, JSON, null)).stream()
                    .filter(job -> job.path("id").asText().equals(id))
                    .forEach(
                            job -> states.add(state + " as " + job.path("state").asText()));
        }
        return states;
    }

    private static String arcState(JsonNode job) {
        for (JsonNode state : job.at("/info_document/ComputingActivity/State")) {
            if (state.asText().startsWith("arcrest:")) {
                return state.asText().substring("arcrest:".length());
            }
        }
        return "";
    }

    /** One job may stand without a list. */
    private static List<JsonNode> jobs(String body) {
        List<JsonNode> found = new ArrayList<>();
        if (body.isBlank()) {
            return found;
        }
        try {
            JsonNode job = new ObjectMapper().readTree(body).path("job");
            if (job.isArray()) {
                job.forEach(found::add);
            } else if (job.isObject()) {
                found.add(job);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(body, e);
        }
        assertThat(found).as(body).allMatch(job -> job.has("id"));
        return found;
    }
}
