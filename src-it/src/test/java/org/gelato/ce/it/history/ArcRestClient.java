package org.gelato.ce.it.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.testkit.pki.DelegationSigner;

/** ARC REST (docs/developer/protocol/arc-rest.md), by requests of its own. It holds no jobs, has no events and no keys. */
final class ArcRestClient implements CeClient {
    private static final Pattern DELEGATION = Pattern.compile("no delegation|of delegation .* has ended");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROOT = "/arex/rest/1.0";
    private static final Map<Operation, String> ACTIONS =
            Map.of(Operation.KILL, "kill", Operation.CLEAN, "clean", Operation.RESUME, "restart");
    private static final Map<String, Answer> STATES = Map.of(
            "PREPARING", Answer.state(JobState.REGISTERED),
            "SUBMITTING", Answer.state(JobState.PENDING),
            "QUEUING", Answer.state(JobState.IDLE),
            "RUNNING", Answer.state(JobState.RUNNING, JobState.REALLY_RUNNING),
            "HELD", Answer.state(JobState.HELD),
            "FINISHED", Answer.state(JobState.DONE_OK),
            "FAILED", Answer.state(JobState.DONE_FAILED, JobState.ABORTED),
            "KILLED", Answer.state(JobState.CANCELLED));

    private final Wallet wallet;

    ArcRestClient(Wallet wallet) {
        this.wallet = wallet;
    }

    @Override
    public Wallet wallet() {
        return wallet;
    }

    @Override
    public Set<Operation> operations() {
        return EnumSet.of(
                Operation.RENEW,
                Operation.SUBMIT,
                Operation.KILL,
                Operation.CLEAN,
                Operation.RESUME,
                Operation.STATUS,
                Operation.LIST);
    }

    @Override
    public Answer delegate(String id, Duration lifetime) throws IOException {
        HttpResponse<String> request = wallet.calls().send("POST", ROOT + "/delegations?action=new", "");
        Optional<String> location = request.headers().firstValue("location");
        return location.isEmpty()
                ? Answer.none(words(request))
                : put(location.get().substring(location.get().lastIndexOf('/') + 1), request.body(), lifetime);
    }

    @Override
    public Answer renew(String delegation) throws IOException {
        HttpResponse<String> request =
                wallet.calls().send("POST", ROOT + "/delegations/" + delegation + "?action=renew", "");
        return request.statusCode() / 100 == 2 ? put(delegation, request.body(), LONG) : refused(request);
    }

    private Answer put(String id, String request, Duration lifetime) throws IOException {
        String chain = new DelegationSigner(Clock.systemUTC())
                .sign(wallet.delegating(), request, lifetime, DelegationSigner.Habit.MODERN);
        HttpResponse<String> put = wallet.calls().send("PUT", ROOT + "/delegations/" + id, chain);
        return put.statusCode() == 200 ? Answer.of(Answer.Kind.DONE, id) : refused(put);
    }

    private static Answer refused(HttpResponse<String> response) {
        return response.statusCode() == 404 && !response.body().contains(UNWRITTEN)
                ? Answer.of(Answer.Kind.REFUSED, words(response))
                : Answer.none(words(response));
    }

    private static String words(HttpResponse<String> response) {
        return "HTTP " + response.statusCode() + ": " + response.body().strip();
    }

    @Override
    public Answer make(Operation operation, String description, String delegation, String key, String lease)
            throws IOException {
        HttpResponse<String> response = json("POST", "/jobs?action=new&delegation_id=" + delegation, description);
        Optional<JsonNode> job = job(response, 201);
        if (job.isEmpty()) {
            return Answer.none(words(response));
        }
        return job.get().path("status-code").asText().equals("201")
                ? Answer.of(Answer.Kind.DONE, job.get().path("id").asText())
                : DELEGATION.matcher(job.get().path("reason").asText()).find()
                        ? Answer.of(Answer.Kind.REFUSED, job.get().toString())
                        : Answer.none(job.get().toString());
    }

    @Override
    public Answer command(Operation operation, String job) throws IOException {
        HttpResponse<String> response = act(ACTIONS.get(operation), job);
        Optional<JsonNode> result = job(response, 201);
        if (result.isEmpty()) {
            return Answer.none(words(response));
        }
        String reason = result.get().path("reason").asText();
        return switch (result.get().path("status-code").asInt()) {
            // a kill of an ended job is no error here
            case 202 -> reason.startsWith("Queued") ? Answer.DONE : Answer.of(Answer.Kind.WRONG_STATE, reason);
            case 404 -> Answer.UNKNOWN_JOB;
            case 409 -> Answer.of(Answer.Kind.WRONG_STATE, reason);
            default -> Answer.none(result.get().toString());
        };
    }

    @Override
    public Answer status(String job) throws IOException {
        HttpResponse<String> response = act("status", job);
        Optional<JsonNode> result = job(response, 201);
        if (result.isEmpty()) {
            return Answer.none(words(response));
        }
        if (result.get().path("status-code").asInt() == 404) {
            return Answer.UNKNOWN_JOB;
        }
        return STATES.getOrDefault(
                result.get().path("state").asText(), Answer.none(result.get().toString()));
    }

    @Override
    public Answer list() throws IOException {
        HttpResponse<String> response = json("GET", "/jobs", null);
        if (response.statusCode() != 200) {
            return Answer.none(words(response));
        }
        List<String> jobs = new ArrayList<>();
        tree(response).path("job").forEach(job -> jobs.add(job.path("id").asText()));
        return Answer.jobs(jobs);
    }

    // Callers ask operations() first, which has none of these here.

    @Override
    public Answer events(long from, int most) {
        throw new UnsupportedOperationException("ARC REST has no events");
    }

    @Override
    public Answer lease(Operation operation, String lease) {
        throw new UnsupportedOperationException("ARC REST has no leases");
    }

    @Override
    public Answer attach(String job, String lease) {
        throw new UnsupportedOperationException("ARC REST has no leases");
    }

    @Override
    public Answer messages(String job, long after, int most) {
        throw new UnsupportedOperationException("messages are another client's to read");
    }

    private HttpResponse<String> act(String action, String job) throws IOException {
        return json("POST", "/jobs?action=" + action, "{\"job\":[{\"id\":\"" + job + "\"}]}");
    }

    private HttpResponse<String> json(String method, String path, String body) throws IOException {
        return wallet.calls().send(method, ROOT + path, body, "Accept", "application/json");
    }

    /** The result of the one job; empty where the whole call failed. */
    private static Optional<JsonNode> job(HttpResponse<String> response, int status) throws IOException {
        JsonNode job =
                response.statusCode() == status ? tree(response).path("job").path(0) : null;
        return job == null || job.isMissingNode() ? Optional.empty() : Optional.of(job);
    }

    private static JsonNode tree(HttpResponse<String> response) throws IOException {
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new IOException(words(response), e);
        }
    }
}
