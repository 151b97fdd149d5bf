package org.gelato.ce.ws.arcrest;

import java.io.IOException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.CommandResult;
import org.gelato.ce.core.service.JobFault;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInfo;
import org.gelato.ce.core.service.JobInfoResult;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.web.HttpFaults;
import org.gelato.ce.ws.web.Refusal;

/**
 * {@code /jobs} and what is done to lists of jobs. Every list of jobs is answered with 201 and a status for each, also where
 * nothing is made, as clients compare exactly (docs/developer/protocol/arc-rest.md). A job has the same id in all protocols.
 */
final class JobsResource {
    /** What {@link #act} does; another action is refused before its body is read. */
    enum Action {
        STATUS,
        INFO,
        DELEGATIONS,
        KILL,
        CLEAN,
        RESTART;

        /** As it stands in a query. */
        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * The action of this name.
         *
         * @throws Refusal 501 for another name
         */
        static Action of(String name) {
            return Arrays.stream(values())
                    .filter(action -> action.wireName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new Refusal(
                            501,
                            "Action not implemented: expected new, "
                                    + Arrays.stream(values())
                                            .map(Action::wireName)
                                            .collect(Collectors.joining(", "))));
        }
    }

    private static final Form.ListName LIST = new Form.ListName("jobs", "job");

    private final Jobs jobs;
    private final IdList ids;
    private final ActivityDocument document;
    private final Clock clock;

    JobsResource(Jobs jobs, IdList ids, ActivityDocument document, Clock clock) {
        this.jobs = jobs;
        this.ids = ids;
        this.document = document;
        this.clock = clock;
    }

    /** {@code GET /jobs[?state=A,B]}: with a filter each job's state too. Clients call it as a ping. */
    void list(ArcCall call) throws IOException {
        String filter = call.parameter("state");
        if (filter == null) {
            call.response()
                    .list(
                            200,
                            LIST,
                            jobs.queries().lists(call.caller()),
                            id -> new Part.Builder("job").with("id", id).build());
            return;
        }
        Set<ArcState> wanted = EnumSet.noneOf(ArcState.class);
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        for (String name : filter.split(",", 50)) {
            ArcState.ofName(name).ifPresent(state -> {
                wanted.add(state);
                states.addAll(state.states());
            });
        }
        // States that no job here can have match nothing, never everything.
        Iterator<List<JobStatusResult>> matching = states.isEmpty()
                ? Collections.emptyIterator()
                : jobs.queries()
                        .statuses(
                                call.caller(),
                                new JobFilter(
                                        List.of(),
                                        states.stream().map(JobState::wireName).toList(),
                                        null,
                                        null,
                                        null,
                                        null));
        call.response().list(200, LIST, matching, job -> {
            ArcState state = ArcState.of(job.status());
            return wanted.contains(state)
                    ? new Part.Builder("job")
                            .with("id", job.id())
                            .with("state", state)
                            .build()
                    : null;
        });
    }

    /** Whether the CE has no job of somebody who is no user here; then a list of his jobs is empty and hides nothing. */
    boolean hasNone(Identity identity) {
        return !jobs.queries().hasJobs(identity);
    }

    /** {@code GET /jobs} for somebody without any. */
    static void none(ArcResponse response) throws IOException {
        response.list(200, LIST, empty(), id -> null);
    }

    /** {@code POST /jobs?action=…} on a list of ids. */
    void act(ArcCall call, Action action, byte[] body) throws IOException {
        List<String> named = ids.read(body, call.request().getContentType());
        JobFilter filter = JobFilter.ofIds(named);
        Caller caller = call.caller();
        // Without ids the core would take all jobs of the caller.
        boolean none = named.isEmpty();
        switch (action) {
            case STATUS -> answer(call, none ? empty() : jobs.queries().statuses(caller, filter), JobsResource::status);
            case INFO ->
                answer(call, none ? empty() : jobs.queries().infos(caller, filter), result -> info(result, caller));
            case DELEGATIONS ->
                answer(call, none ? empty() : jobs.queries().infos(caller, filter), JobsResource::delegation);
            case KILL ->
                commanded(
                        call,
                        jobs.commands().kill(caller, named),
                        "Queued for killing",
                        new Response(202, "The job has ended already"));
            case CLEAN ->
                commanded(
                        call,
                        jobs.commands().clean(caller, named),
                        "Queued for cleaning",
                        new Response(409, "The job has not ended: kill it first"));
            case RESTART ->
                commanded(
                        call,
                        none ? List.of() : jobs.commands().resume(caller, filter),
                        "Queued for resuming",
                        new Response(409, "Only a held job can go on; an ended one is submitted again"));
        }
    }

    /** {@code GET /jobs/ID/diagnose/NAME}. */
    void diagnose(ArcCall call, String id, String name) throws IOException {
        JobInfo job = jobs.queries().info(call.caller(), JobFilter.ofIds(List.of(id))).stream()
                .map(JobInfoResult::info)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        if (job == null) {
            throw notFound();
        }
        String text = Diagnosis.of(job, name).orElseThrow(() -> new Refusal(404, "Not found"));
        call.response().text(200, "text/plain;charset=utf-8", text);
    }

    private static <T> Iterator<List<T>> empty() {
        return Collections.emptyIterator();
    }

    private static <T> void answer(ArcCall call, Iterator<List<T>> slices, Function<T, Part> parts) throws IOException {
        call.response().list(201, LIST, slices, parts);
    }

    /** What one job of a list is answered. */
    private record Response(int status, String reason) {
        Part.Builder begin(String id) {
            return new Part.Builder("job")
                    .with("status-code", status)
                    .with("reason", reason)
                    .with("id", id);
        }
    }

    private static final Response OK = new Response(200, "OK");

    private static Response refused(JobFault fault) {
        return new Response(HttpFaults.status(fault.code()), fault.text());
    }

    static ServiceException notFound() {
        return new ServiceException(FaultCode.JOB_UNKNOWN, FaultCode.JOB_UNKNOWN.text(null));
    }

    private static Part.Builder begin(String id, JobFault fault) {
        return (fault == null ? OK : refused(fault)).begin(id);
    }

    private static Part status(JobStatusResult result) {
        return begin(result.id(), result.fault())
                .with("state", result.fault() == null ? ArcState.of(result.status()) : "None")
                .build();
    }

    private Part info(JobInfoResult result, Caller caller) {
        return begin(result.id(), result.fault())
                .with(
                        result.fault() == null
                                ? document.of(result.info(), caller, clock.instant())
                                : Part.of("info_document", List.of()))
                .build();
    }

    private static Part delegation(JobInfoResult result) {
        Part.Builder job = begin(result.id(), result.fault());
        return (result.fault() == null ? job.with("delegation_id", result.info().delegationId()) : job).build();
    }

    private static void commanded(ArcCall call, List<CommandResult> results, String reason, Response ifStateInvalid)
            throws IOException {
        answer(call, List.of(results).iterator(), result -> {
            if (result.fault() == null) {
                return new Response(202, reason).begin(result.id()).build();
            }
            boolean ofState = result.fault().code() == FaultCode.STATUS_INVALID;
            return (ofState ? ifStateInvalid : refused(result.fault()))
                    .begin(result.id())
                    .build();
        });
    }
}
