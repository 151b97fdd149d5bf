package org.gelato.ce.cli.arcrest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.gelato.ce.cli.context.Grouping;
import org.gelato.ce.cli.description.JdlText;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.EventBatch;
import org.gelato.ce.cli.wire.EventSelector;
import org.gelato.ce.cli.wire.InputFile;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobText;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.cli.wire.LeaseCalls;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.OutputFile;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.ServiceReport;
import org.gelato.ce.cli.wire.SiteJobFilter;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;
import org.gelato.ce.json.Explanation;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.json.SiteJob;

/**
 * A CE over ARC REST. The protocol knows ids of jobs and no criteria: which jobs meet those is found out here, by what it reports of
 * each. A registration whose response was lost is not repeated, as nothing shows the CE that it is the same.
 */
final class ArcComputingElement implements ComputingElement {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ArcCalls calls;
    private final ArcSession session;
    private final ArcDelegations delegations;
    private final Optional<Supplier<ComputingElement>> other;

    /** @param other the CE over a protocol that has what this one lacks; empty where the user wants this one */
    ArcComputingElement(
            ArcCalls calls,
            ArcSession session,
            ArcDelegations delegations,
            Optional<Supplier<ComputingElement>> other) {
        this.calls = calls;
        this.session = session;
        this.delegations = delegations;
        this.other = other;
    }

    @Override
    public Endpoint endpoint() {
        return calls.endpoint();
    }

    private ComputingElement lacking(String what) {
        return other.orElseThrow(() -> new CliException("ARC REST " + what + ": use --protocol cream2"))
                .get();
    }

    @Override
    public void check(String description) {
        // A CE takes all the languages there are.
    }

    /** One, as a job may start with its registration: the user has the id of each before the next one is sent. */
    @Override
    public int registrationsAtOnce() {
        return 1;
    }

    @Override
    public boolean startsWithRegistration() {
        return true;
    }

    @Override
    public Optional<String> delegate() {
        return delegations.make();
    }

    @Override
    public void delegate(String delegationId) {
        throw new CliException("over ARC REST the CE names delegations: leave the ID out, or use --protocol cream2");
    }

    @Override
    public void renew(String delegationId) {
        delegations.renew(delegationId);
    }

    @Override
    public List<Response<String>> register(List<JobText> descriptions, String delegationId) {
        String path = "/jobs?action=new" + (delegationId == null ? "" : "&delegation_id=" + encode(delegationId));
        List<Response<String>> responses = new ArrayList<>();
        for (JobText description : descriptions) {
            String queue = description.queue() == null ? "" : "&queue=" + encode(description.queue());
            responses.add(register(path + queue, description.text()));
        }
        return responses;
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private Response<String> register(String path, String description) {
        ArcCalls.Reply reply;
        List<JsonNode> jobs;
        try {
            reply = calls.call("POST", path, "application/json", ready(description));
            jobs = Activities.list(calls.json(reply), "job");
        } catch (ServiceFault e) {
            if (!e.mayHaveBeenDone() && e.fault().kind().matches("GenericFault|InvalidArgumentFault")) {
                return Response.refused("", e.fault());
            }
            throw e;
        }
        if (jobs.size() != 1) {
            return Response.refused("", fault("the CE made " + jobs.size() + " jobs of it", null));
        }
        JsonNode job = jobs.get(0);
        String id = job.path("id").asText();
        return status(job) == 201 && JobUrl.isLocalId(id)
                ? Response.of("", id)
                : Response.refused(
                        "",
                        new WireFault(
                                "GenericFault",
                                job.path("status-code").asText(),
                                job.path("reason").asText(),
                                null,
                                reply.fault()));
    }

    /** A CE takes JDL for what it is by its bracket. */
    private static String ready(String description) {
        return Language.of(description) == Language.JDL
                ? JdlText.of(description).bracketed()
                : description;
    }

    @Override
    public void upload(String localId, InputFile file, LongConsumer progress) {
        session.upload(localId, file, () -> isStarted(localId), progress);
    }

    private boolean isStarted(String localId) {
        return status(JobSelector.of(List.of(localId))).stream()
                .map(Response::value)
                .anyMatch(state -> state != null && state.isBeyondPending());
    }

    /** Nothing is left to do: a job starts with its last file. */
    @Override
    public List<Response<Void>> start(List<String> localIds) {
        return List.of();
    }

    @Override
    public List<Response<Void>> cancel(JobSelector jobs) {
        return act("kill", jobs);
    }

    @Override
    public List<Response<Void>> purge(JobSelector jobs) {
        return act("clean", jobs);
    }

    @Override
    public List<Response<Void>> suspend(JobSelector jobs) {
        return lacking("holds no jobs").suspend(jobs);
    }

    @Override
    public List<Response<Void>> resume(JobSelector jobs) {
        return act("restart", jobs);
    }

    private List<Response<Void>> act(String action, JobSelector jobs) {
        List<Response<Void>> refusals = new ArrayList<>();
        List<String> meant = jobs.localIds();
        if (meant.isEmpty() || hasCriteria(jobs)) {
            meant = new ArrayList<>();
            for (Response<JobReport> response : info(jobs)) {
                if (response.fault() == null) {
                    meant.add(response.subject());
                } else {
                    refusals.add(Response.refused(response.subject(), response.fault()));
                }
            }
        }
        Set<String> missing = new LinkedHashSet<>(meant);
        for (JsonNode job : ask(action, meant)) {
            missing.remove(job.path("id").asText());
            if (status(job) / 100 != 2) {
                refusals.add(Response.refused(job.path("id").asText(), fault(job)));
            }
        }
        missing.forEach(id -> refusals.add(Response.refused(id, noResponse())));
        return refusals;
    }

    @Override
    public List<Response<StatusReport>> status(JobSelector jobs) {
        return info(jobs).stream()
                .map(response -> response.fault() == null
                        ? Response.of(response.subject(), response.value().status())
                        : Response.<StatusReport>refused(response.subject(), response.fault()))
                .toList();
    }

    @Override
    public List<Response<JobReport>> info(JobSelector jobs) {
        jobs.requireLookedUp();
        if (jobs.leaseId() != null || jobs.delegationId() != null) {
            return lacking("chooses no jobs by lease or delegation").info(jobs);
        }
        boolean named = !jobs.localIds().isEmpty();
        Map<String, Response<JobReport>> responses = new LinkedHashMap<>();
        for (JsonNode job : ask("info", named ? jobs.localIds() : list())) {
            String id = job.path("id").asText();
            if (!JobUrl.isLocalId(id)) {
                continue;
            }
            Response<JobReport> response =
                    status(job) == 200 ? Response.of(id, Activities.report(job)) : Response.refused(id, fault(job));
            if (response.fault() == null && !meets(response.value(), jobs)) {
                response = named
                        ? Response.refused(
                                id,
                                new WireFault("JobStatusInvalidFault", null, "job does not meet the criteria", null))
                        : null;
            } else if (response.fault() != null && !named) {
                response = null; // gone since the list was made
            }
            if (response != null) {
                responses.put(id, response);
            }
        }
        if (!named) {
            return List.copyOf(responses.values());
        }
        return jobs.localIds().stream()
                .map(id -> responses.getOrDefault(id, Response.refused(id, noResponse())))
                .toList();
    }

    private static boolean hasCriteria(JobSelector jobs) {
        jobs.requireLookedUp();
        return !jobs.states().isEmpty()
                || jobs.from() != null
                || jobs.to() != null
                || jobs.leaseId() != null
                || jobs.delegationId() != null;
    }

    /** Its registration is the first time that is known; a job without one meets no limit of time. */
    private static boolean meets(JobReport job, JobSelector jobs) {
        Instant registered = job.history().get(0).time();
        return (jobs.states().isEmpty() || jobs.states().contains(job.status().name()))
                && (jobs.from() == null || (registered != null && !registered.isBefore(jobs.from())))
                && (jobs.to() == null || (registered != null && !registered.isAfter(jobs.to())));
    }

    private List<JsonNode> ask(String action, List<String> ids) {
        List<JsonNode> responses = new ArrayList<>();
        for (List<String> part : Grouping.parts(ids, Grouping.JOBS_PER_REQUEST)) {
            ObjectNode body = JSON.createObjectNode();
            ArrayNode list = body.putArray("job");
            part.forEach(id -> list.addObject().put("id", id));
            responses.addAll(Activities.list(calls.json("POST", "/jobs?action=" + action, body.toString()), "job"));
        }
        return responses;
    }

    @Override
    public List<String> list() {
        return Activities.list(calls.json("GET", "/jobs", null), "job").stream()
                .map(job -> job.path("id").asText())
                .filter(JobUrl::isLocalId)
                .toList();
    }

    private static int status(JsonNode job) {
        return job.path("status-code").asInt();
    }

    static WireFault fault(JsonNode job) {
        String kind = switch (status(job)) {
            case 404 -> "JobUnknownFault";
            case 409 -> "JobStatusInvalidFault";
            default -> "GenericFault";
        };
        String reason = job.path("reason").asText();
        return new WireFault(
                kind,
                job.path("status-code").asText(),
                reason.isEmpty() && status(job) == 404 ? FaultCode.JOB_UNKNOWN.text(null) : reason,
                null);
    }

    private static WireFault noResponse() {
        return fault("the CE sent no result for this job", null);
    }

    private static WireFault fault(String reason, String code) {
        return new WireFault("GenericFault", code, reason, null);
    }

    @Override
    public ServiceReport serviceInfo() {
        JsonNode service =
                calls.json("GET", "/info?schema=glue2", null).at("/Domains/AdminDomain/Services/ComputingService");
        JsonNode endpoint = Activities.list(service, "ComputingEndpoint").stream()
                .filter(e -> e.path("InterfaceName").asText().equals("org.nordugrid.arcrest"))
                .findFirst()
                .orElseThrow(() -> new CliException(endpoint() + ": the CE does not describe its ARC REST"));
        String state = endpoint.path("ServingState").asText();
        return new ServiceReport(
                endpoint.path("InterfaceVersion").asText(),
                endpoint.path("ImplementationVersion").asText(),
                endpoint.path("ImplementationName").asText() + " by ARC REST",
                Activities.time(endpoint, "StartTime"),
                state.equals("production"),
                endpoint.path("HealthState").asText(),
                ArcQueues.properties(service),
                List.of());
    }

    @Override
    public void acceptJobs(boolean accept) {
        lacking("has nothing for administrators").acceptJobs(accept);
    }

    @Override
    public EventBatch events(EventSelector events) {
        return lacking("has no events").events(events);
    }

    @Override
    public Optional<LiveEvents> live(String cursor) {
        return calls.live(cursor);
    }

    @Override
    public MessageCalls messages() {
        return calls.messages();
    }

    @Override
    public LeaseCalls leases() {
        return lacking("has no leases").leases();
    }

    @Override
    public List<OutputFile> outputFiles(String localId, boolean all) {
        return session.list(localId, all);
    }

    @Override
    public InputStream output(String localId, String name) {
        return session.open(localId, name);
    }

    @Override
    public Explanation explain(String dn, List<String> fqans, String queue, Integer cores) {
        return lacking("has nothing for administrators").explain(dn, fqans, queue, cores);
    }

    @Override
    public JsonNode control(String method, String what, Map<String, String> parameters) {
        return lacking("has no usage, and nothing for administrators").control(method, what, parameters);
    }

    @Override
    public void siteJobs(SiteJobFilter filter, Consumer<SiteJob> jobs) {
        lacking("has nothing for administrators").siteJobs(filter, jobs);
    }
}
