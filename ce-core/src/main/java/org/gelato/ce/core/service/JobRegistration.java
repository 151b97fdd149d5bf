package org.gelato.ce.core.service;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.base.CallBudget;
import org.gelato.ce.core.db.CommitInDoubtException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.DatabaseId;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.StateSql;
import org.gelato.ce.core.sandbox.NewSandboxes;
import org.gelato.ce.core.service.RegisterKeyStore.RequestKey;
import org.gelato.ce.core.service.RegisterKeyStore.Response;
import org.gelato.ce.core.service.RegistrationChecks.Checked;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.json.RouteSettings;
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
    /** Name of the property that reports a proxy that ends too early. */
    static final String WARNING = "WARNING";

    private static final String DB_ID = "DB_ID";

    private final Database database;
    private final OwnerStore owners;
    private final NewSandboxes sandboxes;
    private final RegistrationChecks checks;
    private final JobInserts inserts;
    private final Admission admission;
    private final String databaseId;
    private final RegisterKeys keys;

    /**
     * @param descriptions reads the descriptions
     * @param inserts stores the jobs
     * @param delegations that jobs may name
     * @param admission whether new jobs are taken now
     */
    public JobRegistration(
            Database database,
            OwnerStore owners,
            NewSandboxes sandboxes,
            DescriptionChecks descriptions,
            JobInserts inserts,
            JobDelegations delegations,
            Admission admission,
            Clock clock) {
        this.database = database;
        this.owners = owners;
        this.sandboxes = sandboxes;
        this.checks = new RegistrationChecks(database, descriptions, delegations, admission, clock);
        this.inserts = inserts;
        this.admission = admission;
        this.databaseId = DatabaseId.of(database);
        this.keys = new RegisterKeys(database, sandboxes, clock);
    }

    /**
     * What was registered.
     *
     * @param waiting jobs that are still to be started; a crash before that leaves them registered, and a repetition starts them
     */
    record Registered(List<RegisterResult> results, List<JobId> waiting) {}

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
        List<RegistrationChecks.Read> read = checks.read(caller, call.request(), budget);
        for (int tries = 1; ; tries++) {
            try {
                return store(caller, call, checks.check(caller, call.owner(), call.request(), read));
            } catch (JobInserts.EndedDelegationException e) {
                // Nothing was stored; the next check finds out whose it was.
                if (tries == MAX_TRIES) {
                    throw e;
                }
                checks.forgetDelegations(caller, read);
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

    private Registered store(Caller caller, Call call, List<Checked> checked) {
        RequestKey key = call.key();
        Steps.reached(Step.REGISTER_CHECKED);
        List<JobInserts.NewJob> jobs = jobs(checked, call.request().instances());
        Optional<List<Integer>> stored = jobs.isEmpty() && key == null
                ? Optional.of(List.of())
                : storeCounted(
                        new JobInserts.Request(
                                jobs,
                                call.owner(),
                                owners.subject(caller.identity()),
                                caller.identity(),
                                call.account(),
                                call.ice(),
                                call.accounting(),
                                key == null ? JobInserts.NOTHING_MORE : keyed(key, call.account(), checked)),
                        key != null);
        if (stored.isEmpty()) {
            // A repetition gets the result of the request, whatever the checks return now.
            return keys.answered(caller, call.request(), key, common(call.fromIce()))
                    .orElseThrow();
        }
        List<Integer> rows = stored.get();
        Steps.reached(Step.REGISTER_STORED, rows, row -> row);
        Registered registered = registered(caller, call, checked, rows.iterator());
        Steps.reached(Step.REGISTER_READY, rows, row -> row);
        return registered;
    }

    private List<JobInserts.NewJob> jobs(List<Checked> checked, int instances) {
        List<JobInserts.NewJob> jobs = new ArrayList<>();
        for (Checked c : checked) {
            if (c.fault() == null) {
                Queues.Target target = c.accepted().target();
                int queue = owners.queue(target.batchSystem().name(), target.queue());
                RouteSettings settings = c.accepted().settings();
                Integer route = settings.routes().isEmpty() ? null : (Integer) owners.route(settings);
                jobs.addAll(Collections.nCopies(instances, c.job(queue, route)));
            }
        }
        return jobs;
    }

    /** @param rows of the stored jobs: of each description that has no fault, one for each instance */
    private Registered registered(Caller caller, Call call, List<Checked> checked, Iterator<Integer> rows) {
        Path home = sandboxes.home(caller.identity().owner(), caller.account());
        List<RegisterResult> results = new ArrayList<>();
        List<JobId> waiting = new ArrayList<>();
        for (Checked c : checked) {
            String ref = c.description().clientRef();
            for (int instance = 0; instance < call.request().instances(); instance++) {
                if (c.fault() != null) {
                    results.add(RegisterResult.refused(ref, c.fault()));
                    continue;
                }
                int row = rows.next();
                JobId id = sandboxes.id(row);
                Path sandbox = sandboxes.of(home, id);
                JobFault fault =
                        c.accepted().uploads() ? makeSandbox(caller, row, sandbox, call.key(), results.size()) : null;
                if (fault != null) {
                    results.add(RegisterResult.refused(ref, fault));
                    continue;
                }
                Map<String, String> properties = new LinkedHashMap<>(common(call.fromIce()));
                if (c.warning() != null) {
                    properties.put(WARNING, c.warning());
                }
                boolean starts = c.start() != RegistrationChecks.Start.NOT_BY_US;
                results.add(new RegisterResult(
                        ref,
                        id,
                        sandbox,
                        properties,
                        starts,
                        c.delegationId(),
                        c.accepted().settings().routes(),
                        null));
                if (c.start() == RegistrationChecks.Start.WITH_ITS_DIRECTORY) {
                    waiting.add(id);
                }
            }
        }
        return new Registered(results, waiting);
    }

    private Optional<List<Integer>> storeCounted(JobInserts.Request request, boolean keyed) {
        try (Admission.Places places = admission.reserve(request.jobs().size())) {
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
                .orElseThrow(() -> refusal);
    }

    private JobInserts.Extra keyed(RequestKey key, int account, List<Checked> checked) {
        return new JobInserts.Extra() {
            @Override
            public boolean begin(Handle h) {
                return keys.claim(h, key, account);
            }

            /** A request with a key has one job of each description. */
            @Override
            public void store(Handle h, List<Integer> rows) {
                Iterator<Integer> row = rows.iterator();
                keys.add(
                        h,
                        key,
                        checked.stream()
                                .map(c -> c.fault() != null
                                        ? Response.refused(c.fault())
                                        : new Response(row.next(), null, c.warning(), null))
                                .toList());
            }
        };
    }

    private Map<String, String> common(boolean fromIce) {
        return fromIce ? Map.of(DB_ID, databaseId) : Map.of();
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
            String why = Messages.of(e.getCause() == null ? e : e.getCause());
            JobFault fault = new JobFault(FaultCode.INTERNAL, "cannot make the job's sandbox: " + why);
            try {
                database.change(h -> {
                    if (h.createUpdate(DELETE).bind("id", row).execute() == 0
                            || (key != null && !keys.takeBack(h, key, position, fault))) {
                        throw new TakenException();
                    }
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
}
