package org.gelato.ce.core.service;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.base.CallBudget;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.lease.LeaseStore;
import org.gelato.ce.core.service.DescriptionChecks.Accepted;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.SafeText;
import org.gelato.ce.json.FaultCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checks of JobRegister: each description of a call, and the delegation, lease and queue that it names. Thread-safe. */
final class RegistrationChecks {
    private static final Logger log = LoggerFactory.getLogger(RegistrationChecks.class);

    /** Attributes that say where a job goes, as the languages and {@link Queues} name them. */
    private static final Set<String> QUEUE = Set.of("queue", "QueueName", "BatchSystem");

    private final LeaseStore leases = new LeaseStore();
    private final Database database;
    private final DescriptionChecks descriptions;
    private final JobDelegations delegations;
    private final Admission admission;
    private final Clock clock;

    RegistrationChecks(
            Database database,
            DescriptionChecks descriptions,
            JobDelegations delegations,
            Admission admission,
            Clock clock) {
        this.database = database;
        this.descriptions = descriptions;
        this.delegations = delegations;
        this.admission = admission;
        this.clock = clock;
    }

    /** When a job is started; one whose directory has to be made is not, before it is there: then it can't be taken back. */
    enum Start {
        NOT_BY_US,
        AT_ONCE,
        WITH_ITS_DIRECTORY
    }

    /**
     * A description that was read.
     *
     * @param accepted null when it is refused
     * @param proxyFault why the proxy that came with it was not stored; null when it was, or there was none
     * @param refused why it is refused by itself; null when it is not
     */
    record Read(JobDescription description, Accepted accepted, JobFault proxyFault, DescriptionException refused) {
        /** Null when it is not refused by itself. */
        private JobFault fault() {
            if (refused == null) {
                return null;
            }
            boolean ofQueue = refused.attribute() != null && QUEUE.contains(refused.attribute());
            return new JobFault(ofQueue ? FaultCode.QUEUE_UNKNOWN : FaultCode.GENERIC, refused.getMessage());
        }

        /** The delegation that it names, else that of its call; null or empty when there is none. */
        private String delegationId() {
            return accepted == null || accepted.delegation() == null
                    ? description.delegationId()
                    : accepted.delegation();
        }
    }

    /**
     * A description after all checks.
     *
     * @param fault why it is refused; null when it is not
     * @param accepted null when it is refused, as all that follows
     * @param delegationId null or empty for none
     * @param delegation null for none
     * @param lease null for none
     * @param warning that the proxy ends too early; null when it does not
     */
    record Checked(
            JobDescription description,
            JobFault fault,
            Accepted accepted,
            String delegationId,
            JobDelegations.Ref delegation,
            Integer lease,
            Start start,
            String warning) {
        /** @param route number of its settings; null for none */
        JobInserts.NewJob job(int queue, Integer route) {
            return new JobInserts.NewJob(
                    queue,
                    route,
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

    /** What the descriptions of one call may take; closed with the call. */
    CallBudget budget(Caller caller) {
        return descriptions.budget(caller);
    }

    /** Stores the proxies that came with the descriptions, and reads these; one result for each. */
    List<Read> read(Caller caller, RegisterRequest request, CallBudget budget) {
        descriptions.begin(request, budget);
        List<Read> read = new ArrayList<>();
        for (JobDescription d : request.descriptions()) {
            JobFault proxyFault = storeProxy(caller, d);
            if (proxyFault != null) {
                read.add(new Read(d, null, proxyFault, null));
                continue;
            }
            try {
                read.add(new Read(d, descriptions.read(caller, d, request, budget), null, null));
            } catch (DescriptionException e) {
                read.add(new Read(d, null, null, e));
            }
        }
        return read;
    }

    private JobFault storeProxy(Caller caller, JobDescription d) {
        if (isEmpty(d.delegationProxy()) || isEmpty(d.delegationId())) {
            return null;
        }
        try {
            delegations.putProxy(caller, d.delegationId(), d.delegationProxy());
            return null;
        } catch (ServiceException.DelegationRefused e) {
            return new JobFault(FaultCode.DELEGATION_REFUSED, e.getMessage());
        }
    }

    /** One line for a check of a call. Without the message: that may show values, such as those of Environment, and the client has it. */
    private static void log(Caller caller, int all, List<DescriptionException> refused) {
        if (!refused.isEmpty()) {
            DescriptionException first = refused.get(0);
            log.info(
                    "{} of {} job descriptions of {} are refused, the first for attribute={}, line={}, column={}",
                    refused.size(),
                    all,
                    caller.identity().subject(),
                    first.attribute() == null ? "-" : SafeText.of(first.attribute()),
                    first.line(),
                    first.column());
        }
    }

    /** Looks up again what was looked up for these descriptions. */
    void forgetDelegations(Caller caller, List<Read> read) {
        delegations.forget(caller, named(read, Read::delegationId));
    }

    /**
     * Looks up what the descriptions name; one result for each.
     *
     * @param owner row of the caller as owner
     */
    List<Checked> check(Caller caller, int owner, RegisterRequest request, List<Read> read) {
        boolean arc = request.rules() == RegisterRequest.Rules.ARC;
        boolean optional = arc || caller.identity().byToken();
        Map<String, JobDelegations.Ref> known = delegations.find(caller, named(read, Read::delegationId));
        Set<String> leaseIds = named(read, r -> r.description().leaseId());
        Instant now = clock.instant();
        Map<String, Integer> ownLeases =
                leaseIds.isEmpty() ? Map.of() : database.read(h -> leases.find(h, owner, leaseIds, now));
        List<Checked> checked = new ArrayList<>();
        List<DescriptionException> refused = new ArrayList<>();
        for (Read r : read) {
            JobDescription d = r.description();
            JobDelegations.Ref delegation = named(known, r.delegationId());
            Integer lease = named(ownLeases, d.leaseId());
            JobFault fault = fault(r, delegation, lease, now, optional);
            if (fault != null && fault.equals(r.fault())) {
                refused.add(r.refused());
            }
            checked.add(
                    fault != null
                            ? new Checked(d, fault, null, null, null, null, null, null)
                            : new Checked(
                                    d,
                                    null,
                                    r.accepted(),
                                    r.delegationId(),
                                    delegation,
                                    lease,
                                    startOf(d, r.accepted(), arc),
                                    warning(r, delegation, now)));
        }
        log(caller, read.size(), refused);
        return checked;
    }

    /** Null when there is none. */
    private JobFault fault(Read read, JobDelegations.Ref delegation, Integer lease, Instant now, boolean optional) {
        if (read.proxyFault() != null) {
            return read.proxyFault();
        }
        String id = read.delegationId();
        String leaseId = read.description().leaseId();
        if (isEmpty(id)) {
            // A proxy without an id is a delegation that was meant.
            if (!optional || !isEmpty(read.description().delegationProxy())) {
                return new JobFault(FaultCode.DELEGATION_MISSING, null);
            }
        } else if (delegation == null) {
            return new JobFault(FaultCode.DELEGATION_UNKNOWN, id);
        } else if (!delegation.expiresAt().isAfter(now)) {
            return new JobFault(FaultCode.DELEGATION_ENDED, id);
        }
        if (!isEmpty(leaseId) && lease == null) {
            return new JobFault(FaultCode.LEASE_UNKNOWN, leaseId);
        }
        return read.refused() != null
                ? read.fault()
                : admission
                        .refusal(read.accepted().target().queue())
                        .map(why -> new JobFault(FaultCode.SUBMISSION_DISABLED, why))
                        .orElse(null);
    }

    /** When a job that started now would outlive its proxy or token; null when it would not. */
    private static String warning(Read read, JobDelegations.Ref delegation, Instant now) {
        Duration requested = read.accepted().wallTime();
        if (delegation == null || requested == null || !now.plus(requested).isAfter(delegation.expiresAt())) {
            return null;
        }
        return "delegation " + read.delegationId() + " ends at " + delegation.expiresAt() + ", before the "
                + requested.toMinutes() + " minutes of wall clock time the job requests are over; renew it in time";
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

    /** What an id names; null when it names nothing, or there is none. */
    private static <T> T named(Map<String, T> known, String id) {
        return isEmpty(id) ? null : known.get(id);
    }

    private static Set<String> named(List<Read> read, Function<Read, String> id) {
        return read.stream().map(id).filter(i -> !isEmpty(i)).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static boolean isEmpty(String text) {
        return text == null || text.isEmpty();
    }
}
