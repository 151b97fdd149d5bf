package org.gelato.ce.core.service;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.db.CommitInDoubtException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.description.CallBudget;
import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.DatabaseId;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.StateSql;
import org.gelato.ce.core.lease.LeaseStore;
import org.gelato.ce.core.sandbox.NewSandboxes;
import org.gelato.ce.core.service.DescriptionChecks.Accepted;
import org.gelato.ce.core.service.DescriptionChecks.Result;
import org.gelato.ce.core.service.RegisterKeyStore.RequestKey;
import org.gelato.ce.core.service.RegisterKeyStore.Response;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.gelato.ce.core.text.Words;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.Excerpt;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JobRegister: checks every description, then stores all that passed in one transaction, whatever their number; calls
 * that come at the same time share it ({@link JobInserts}). A crash before the commit leaves nothing; after it the jobs
 * exist, registered, and their client may not know them, unless it repeats a request that had a key
 * ({@link RegisterKeys}).
 */
public final class JobRegistration {
    private static final Logger log = LoggerFactory.getLogger(JobRegistration.class);

    /** Takes back a job that nobody has started, or is about to. */
    public static final String DELETE = StateSql.of("""
            DELETE FROM job WHERE id = :id AND state + 0 = {REGISTERED}
              AND NOT EXISTS (SELECT 1 FROM command c WHERE c.job_id = job.id AND c.state IN {command.OPEN})
            """);

    private static final int MAX_TRIES = 3;
    /** Attributes that say where a job goes, as the languages and {@link Queues} name them. */
    private static final Set<String> QUEUE = Set.of("queue", "QueueName", "BatchSystem");

    /** Name of the property that reports a proxy that ends too early. */
    static final String WARNING = "WARNING";

    private static final String DB_ID = "DB_ID";

    private final LeaseStore leases = new LeaseStore();
    private final Database database;
    private final OwnerStore owners;
    private final NewSandboxes sandboxes;
    private final DescriptionChecks checks;
    private final JobInserts inserts;
    private final JobDelegations delegations;
    private final Admission admission;
    private final Clock clock;
    private final String databaseId;
    private final RegisterKeys keys;

    /**
     * @param checks reads the descriptions
     * @param inserts stores the jobs
     * @param delegations that jobs may name
     * @param admission whether new jobs are taken now
     */
    public JobRegistration(
            Database database,
            OwnerStore owners,
            NewSandboxes sandboxes,
            DescriptionChecks checks,
            JobInserts inserts,
            JobDelegations delegations,
            Admission admission,
            Clock clock) {
        this.database = database;
        this.owners = owners;
        this.sandboxes = sandboxes;
        this.checks = checks;
        this.inserts = inserts;
        this.delegations = delegations;
        this.admission = admission;
        this.clock = clock;
        this.databaseId = DatabaseId.of(database);
        this.keys = new RegisterKeys(database, sandboxes, clock);
    }

    /** When a job is started; one whose directory has to be made is not, before it is there: then it can't be taken back. */
    private enum Start {
        NOT_BY_US,
        AT_ONCE,
        WITH_ITS_DIRECTORY
    }

    /**
     * What was registered.
     *
     * @param waiting jobs that are still to be started; a crash before that leaves them registered, and a repetition starts them
     */
    record Registered(List<RegisterResult> results, List<JobId> waiting) {}

    /** A job whose description passed all checks; delegation, lease and the delegation's id may be null. */
    private record Candidate(
            int index,
            JobDescription description,
            Accepted accepted,
            String delegationId,
            JobDelegations.Ref delegation,
            Integer lease,
            Start start) {
        JobInserts.NewJob job(int queue) {
            return new JobInserts.NewJob(
                    queue,
                    delegation == null ? null : (Integer) delegation.row(),
                    lease,
                    start == Start.AT_ONCE,
                    description.language().code(),
                    description.text(),
                    accepted.gridJobId(),
                    accepted.warnings(),
                    accepted.labels());
        }
    }

    Registered register(Caller caller, RegisterRequest request) {
        List<JobDescription> descriptions = request.descriptions();
        if (caller.identity().limited()) {
            throw new ServiceException.NotAuthorized(FaultCode.PROXY_LIMITED, "Cannot submit job: proxy is limited");
        }
        if (descriptions.isEmpty()) {
            throw ServiceException.invalid("no job description is given");
        }
        RequestKey key = request.key() == null ? null : RegisterKeys.key(owners.owner(caller.identity()), request);
        try {
            admission.admit(caller, (int) Math.min(Integer.MAX_VALUE, request.jobs()));
        } catch (ServiceException e) {
            return repeated(caller, request, key, e);
        }
        int owner = owners.owner(caller.identity());
        int account = owners.account(caller.account());
        Integer ice = request.fromIce() ? (Integer) owners.ice(JobStore.cut(request.iceId(), 255)) : null;

        Call call = new Call(request, key, owner, account, ice, owners.accountingGroup(caller.identity()));
        try (CallBudget budget = checks.budget(caller)) {
            return register(caller, call, budget);
        } catch (ServiceException e) {
            if (e.code() != FaultCode.SUBMISSION_DISABLED && e.code() != FaultCode.OVER_QUOTA) {
                throw e;
            }
            return repeated(caller, request, key, e);
        }
    }

    private Registered register(Caller caller, Call call, CallBudget budget) {
        checks.begin(call.request(), budget);
        RegisterResult[] results = storeGivenProxies(caller, call.request());
        List<Result> read = checks.read(call.request(), results, budget);
        for (int tries = 1; ; tries++) {
            try {
                return store(caller, call, read, results);
            } catch (JobInserts.EndedDelegationException e) {
                // Nothing was stored; the next check finds out whose it was.
                if (tries == MAX_TRIES) {
                    throw e;
                }
                delegations.forget(caller, delegationIds(call.request().descriptions(), read));
            } catch (JobInserts.EndedLeaseException e) {
                if (tries == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** A call that was admitted; key, ice and accounting may be null. */
    private record Call(
            RegisterRequest request, RequestKey key, int owner, int account, Integer ice, Integer accounting) {
        boolean fromIce() {
            return ice != null;
        }
    }

    private Registered store(Caller caller, Call call, List<Result> read, RegisterResult[] results) {
        RequestKey key = call.key();
        List<Candidate> candidates = check(caller, call, read, results);
        Steps.reached(Step.REGISTER_CHECKED);
        Optional<List<Integer>> stored = candidates.isEmpty() && key == null
                ? Optional.of(List.of())
                : storeCounted(
                        candidates.size(),
                        new JobInserts.Request(
                                candidates.stream()
                                        .map(c -> c.job(owners.queue(
                                                c.accepted()
                                                        .target()
                                                        .batchSystem()
                                                        .name(),
                                                c.accepted().target().queue())))
                                        .toList(),
                                call.owner(),
                                owners.subject(caller.identity()),
                                caller.identity(),
                                call.account(),
                                call.ice(),
                                call.accounting(),
                                key == null
                                        ? JobInserts.NOTHING_MORE
                                        : keyed(key, call.account(), results, candidates)),
                        key != null);
        if (stored.isEmpty()) {
            // A repetition gets the result of the request, whatever the checks return now.
            return keys.answered(caller, call.request(), key, common(call.fromIce()))
                    .map(JobRegistration::registered)
                    .orElseThrow();
        }
        List<Integer> rows = stored.get();
        Steps.reached(Step.REGISTER_STORED, rows, row -> row);
        Path home = sandboxes.home(caller.identity().owner(), caller.account());
        List<JobId> waiting = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate c = candidates.get(i);
            JobId id = sandboxes.id(rows.get(i));
            Path sandbox = sandboxes.of(home, id);
            JobFault fault = c.accepted().uploads() ? makeSandbox(caller, rows.get(i), sandbox, key, c.index()) : null;
            String ref = c.description().clientRef();
            if (fault != null) {
                results[c.index()] = RegisterResult.refused(ref, fault);
                continue;
            }
            boolean starts = c.start() != Start.NOT_BY_US;
            results[c.index()] =
                    new RegisterResult(ref, id, sandbox, properties(c, call.fromIce()), starts, c.delegationId(), null);
            if (c.start() == Start.WITH_ITS_DIRECTORY) {
                waiting.add(id);
            }
        }
        Steps.reached(Step.REGISTER_READY, rows, row -> row);
        return new Registered(List.of(results), waiting);
    }

    private Optional<List<Integer>> storeCounted(int jobs, JobInserts.Request request, boolean keyed) {
        try (Admission.Places places = admission.reserve(jobs)) {
            Optional<List<Integer>> stored = store(request, keyed);
            if (stored.isPresent()) {
                places.stored();
            }
            return stored;
        }
    }

    /**
     * With a key, a commit whose response was lost is no failure: a repetition stores once, and returns what was stored.
     */
    private Optional<List<Integer>> store(JobInserts.Request request, boolean keyed) {
        for (int tries = 1; ; tries++) {
            try {
                return inserts.insert(request);
            } catch (CommitInDoubtException e) {
                if (!keyed || tries == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Nothing new is accepted, but what was registered is returned again. */
    private Registered repeated(Caller caller, RegisterRequest r, RequestKey key, ServiceException refusal) {
        return Optional.ofNullable(key)
                .flatMap(k -> keys.answered(caller, r, k, common(r.fromIce())))
                .map(JobRegistration::registered)
                .orElseThrow(() -> refusal);
    }

    private static Registered registered(RegisterKeys.Repeated repeated) {
        return new Registered(repeated.results(), repeated.waiting());
    }

    private JobInserts.Extra keyed(RequestKey key, int account, RegisterResult[] results, List<Candidate> candidates) {
        return new JobInserts.Extra() {
            @Override
            public boolean begin(Handle h) {
                return keys.claim(h, key, account);
            }

            @Override
            public void store(Handle h, List<Integer> rows) {
                keys.add(h, key, answers(results, candidates, rows));
            }
        };
    }

    /** The result of a repetition of the request. */
    private List<Response> answers(RegisterResult[] results, List<Candidate> candidates, List<Integer> rows) {
        Response[] responses = new Response[results.length];
        for (int i = 0; i < candidates.size(); i++) {
            Candidate c = candidates.get(i);
            responses[c.index()] = new Response(rows.get(i), null, warning(c).orElse(null), null);
        }
        Arrays.setAll(responses, i -> responses[i] == null ? Response.refused(results[i].fault()) : responses[i]);
        return List.of(responses);
    }

    private Map<String, String> common(boolean fromIce) {
        return fromIce ? Map.of(DB_ID, databaseId) : Map.of();
    }

    private Map<String, String> properties(Candidate c, boolean fromIce) {
        Map<String, String> properties = new LinkedHashMap<>(common(fromIce));
        warning(c).ifPresent(text -> properties.put(WARNING, text));
        return properties;
    }

    private Optional<String> warning(Candidate c) {
        return c.delegation() == null
                ? Optional.empty()
                : WallTime.warning(
                        c.accepted().wallTime(),
                        c.delegationId(),
                        c.delegation().expiresAt(),
                        clock.instant());
    }

    private List<Candidate> check(Caller caller, Call call, List<Result> read, RegisterResult[] results) {
        List<JobDescription> descriptions = call.request().descriptions();
        boolean arc = call.request().rules() == RegisterRequest.Rules.ARC;
        boolean optional = arc || caller.identity().byToken();
        Map<String, JobDelegations.Ref> known = delegations.find(caller, delegationIds(descriptions, read));
        Map<String, Integer> ownLeases = leases(call.owner(), named(descriptions, JobDescription::leaseId));
        Instant now = clock.instant();
        List<Candidate> candidates = new ArrayList<>();
        List<DescriptionException> refused = new ArrayList<>();
        int instances = call.request().instances();
        for (int i = 0; i < descriptions.size(); i++) {
            if (results[i * instances] != null) {
                continue;
            }
            JobDescription d = descriptions.get(i);
            Accepted accepted = read.get(i).accepted();
            String delegation = delegationId(d, read.get(i));
            JobFault fault = delegationFault(d, delegation, named(known, delegation), now, optional);
            if (fault == null && !isEmpty(d.leaseId()) && !ownLeases.containsKey(d.leaseId())) {
                fault = new JobFault(FaultCode.LEASE_UNKNOWN, d.leaseId());
            }
            if (fault == null && accepted == null) {
                refused.add(read.get(i).refused());
                DescriptionException why = read.get(i).refused();
                boolean ofQueue = why.attribute() != null && QUEUE.contains(why.attribute());
                fault = new JobFault(ofQueue ? FaultCode.QUEUE_UNKNOWN : FaultCode.GENERIC, why.getMessage());
            }
            if (fault == null) {
                fault = admission
                        .refusal(accepted.target().queue())
                        .map(why -> new JobFault(FaultCode.SUBMISSION_DISABLED, why))
                        .orElse(null);
            }
            for (int k = 0; k < instances; k++) {
                if (fault == null) {
                    candidates.add(new Candidate(
                            i * instances + k,
                            d,
                            accepted,
                            delegation,
                            named(known, delegation),
                            named(ownLeases, d.leaseId()),
                            startOf(d, accepted, arc)));
                } else {
                    results[i * instances + k] = RegisterResult.refused(d.clientRef(), fault);
                }
            }
        }
        log(caller, descriptions.size(), refused);
        return candidates;
    }

    private static Start startOf(JobDescription d, Accepted accepted, boolean arc) {
        if (!d.autoStart()) {
            return Start.NOT_BY_US;
        }
        if (!accepted.uploads()) {
            return Start.AT_ONCE;
        }
        return arc ? Start.NOT_BY_US : Start.WITH_ITS_DIRECTORY;
    }

    /** The delegation that a description names, else that of its call. */
    private static String delegationId(JobDescription description, Result read) {
        String own = read.accepted() == null ? null : read.accepted().delegation();
        return own == null ? description.delegationId() : own;
    }

    private static Set<String> delegationIds(List<JobDescription> descriptions, List<Result> read) {
        Set<String> ids = new LinkedHashSet<>();
        for (int i = 0; i < read.size(); i++) {
            String id = delegationId(descriptions.get(i), read.get(i));
            if (!isEmpty(id)) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** One line for a call. Without the message: that may show values, such as those of Environment, and the client has it. */
    private static void log(Caller caller, int all, List<DescriptionException> refused) {
        if (!refused.isEmpty()) {
            DescriptionException first = refused.get(0);
            log.info(
                    "{} of {} job descriptions of {} are refused, the first for attribute={}, line={}, column={}",
                    refused.size(),
                    all,
                    caller.identity().subject(),
                    first.attribute() == null ? "-" : Excerpt.of(first.attribute()),
                    first.line(),
                    first.column());
        }
    }

    /** Answers the refusals, each at its description's place, null at the others. */
    private RegisterResult[] storeGivenProxies(Caller caller, RegisterRequest call) {
        RegisterResult[] results = new RegisterResult[Math.toIntExact(call.jobs())];
        for (int i = 0; i < results.length; i++) {
            JobDescription d = call.descriptions().get(i / call.instances());
            if (!isEmpty(d.delegationProxy()) && !isEmpty(d.delegationId())) {
                try {
                    delegations.putProxy(caller, d.delegationId(), d.delegationProxy());
                } catch (ServiceException.DelegationRefused e) {
                    results[i] = RegisterResult.refused(
                            d.clientRef(), new JobFault(FaultCode.DELEGATION_REFUSED, e.getMessage()));
                }
            }
        }
        return results;
    }

    private static JobFault delegationFault(
            JobDescription d, String id, JobDelegations.Ref ref, Instant now, boolean optional) {
        if (isEmpty(id)) {
            // A proxy without an id is a delegation that was meant.
            return optional && isEmpty(d.delegationProxy()) ? null : new JobFault(FaultCode.DELEGATION_MISSING, null);
        }
        if (ref == null) {
            return new JobFault(FaultCode.DELEGATION_UNKNOWN, id);
        }
        if (!ref.expiresAt().isAfter(now)) {
            return new JobFault(FaultCode.DELEGATION_ENDED, id);
        }
        return null;
    }

    private Map<String, Integer> leases(int owner, Collection<String> ids) {
        return ids.isEmpty() ? Map.of() : database.read(h -> leases.find(h, owner, ids, clock.instant()));
    }

    /**
     * Makes the sandbox the client will upload into; a job whose sandbox can't be made is taken back, unless somebody has it by now: its
     * owner, who found and started it, or a repetition of the request. Null when the job stays.
     */
    private JobFault makeSandbox(Caller caller, int row, Path sandbox, RequestKey key, int position) {
        try {
            sandboxes.make(caller.account(), sandbox);
            return null;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            String why = Words.of(e.getCause() == null ? e : e.getCause());
            JobFault fault = new JobFault(FaultCode.INTERNAL, "cannot make the job's sandbox: " + why);
            try {
                database.inTransaction(h -> {
                    if (h.createUpdate(DELETE).bind("id", row).execute() == 0
                            || (key != null && !keys.takeBack(h, key, position, fault))) {
                        throw new TakenException();
                    }
                    return null;
                });
                return fault;
            } catch (TakenException taken) {
                log.warn("{} stays, though its sandbox was not made: it is in use by now", sandboxes.id(row));
                return null;
            }
        }
    }

    /** Rolls back that a job is taken back. */
    private static final class TakenException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** What a description names; null when it names nothing or something unknown. */
    private static <T> T named(Map<String, T> known, String id) {
        return isEmpty(id) ? null : known.get(id);
    }

    private static Set<String> named(List<JobDescription> descriptions, Function<JobDescription, String> id) {
        return descriptions.stream()
                .map(id)
                .filter(i -> !isEmpty(i))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static boolean isEmpty(String text) {
        return text == null || text.isEmpty();
    }
}
