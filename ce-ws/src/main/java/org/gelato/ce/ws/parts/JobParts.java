package org.gelato.ce.ws.parts;

import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.command.CancelRequests;
import org.gelato.ce.core.job.TextQuota;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.sandbox.NewSandboxes;
import org.gelato.ce.core.sandbox.StoredSandboxes;
import org.gelato.ce.core.service.DescriptionChecks;
import org.gelato.ce.core.service.JobDelegations;
import org.gelato.ce.core.service.JobInserts;
import org.gelato.ce.core.service.JobQueries;
import org.gelato.ce.core.service.JobRegistration;
import org.gelato.ce.core.service.JobSubmission;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.Queues;
import org.gelato.ce.core.service.StoredDescriptions;
import org.gelato.ce.core.sweep.DeferredPurgeSweeper;
import org.gelato.ce.core.sweep.JobPurger;
import org.gelato.ce.core.sweep.LeaseSweeper;
import org.gelato.ce.core.sweep.PurgeQueue;
import org.gelato.ce.core.sweep.RegisterKeySweeper;
import org.gelato.ce.ws.config.JobsConfig;
import org.gelato.ce.ws.http.HealthCheck;

/**
 * What users do with jobs, and what is removed by itself.
 *
 * @param sandboxes files of jobs
 * @param descriptions of stored jobs
 */
record JobParts(Jobs service, StoredSandboxes sandboxes, StoredDescriptions descriptions) {
    private static final Duration DEFERRED_PURGES = Duration.ofSeconds(30);
    private static final Duration KEY_SWEEP = Duration.ofMinutes(10);

    static JobParts open(
            Opening o,
            StoreParts stores,
            HelperParts helper,
            DescriptionParts descriptions,
            AdmissionParts admission,
            FollowParts follow,
            HandOverParts handOver,
            JobDelegations delegations,
            AuditTrail audit) {
        Lrms lrms = helper.lrms();
        JobsConfig jobs = o.config().jobs();
        Queues queues = new Queues(List.of(new Queues.BatchSystem(
                lrms.name(),
                o.config().lrms().queues(),
                lrms.supportedRequests(),
                queue -> follow.cluster()
                        .status()
                        .filter(now -> now.isMissing(queue))
                        .isPresent())));
        JobInserts inserts = new JobInserts(
                stores.database(),
                stores.commands(),
                new TextQuota(stores.database(), jobs.maxTextPerUser()),
                stores.jobs().counts(),
                jobs.turns(),
                o.clock());
        o.check(HealthCheck.ofState(
                "registrations",
                () -> inserts.crowdedBy()
                        .map(user -> HealthCheck.Outcome.degraded(
                                user + " registers more at once than all other users together"))
                        .orElseGet(() -> new HealthCheck.Outcome(true, "users take turns"))));
        JobRegistration registration = new JobRegistration(
                stores.database(),
                stores.owners(),
                new NewSandboxes(stores.numbers(), stores.places().layout(), helper.accounts()),
                new DescriptionChecks(
                        queues,
                        descriptions.environments(),
                        o.config().wrapper().programs(),
                        descriptions.expansions(),
                        o.routes(),
                        o.clock()),
                inserts,
                delegations,
                admission.controller(),
                o.clock());
        sweeps(o, stores, handOver, jobs);
        return new JobParts(
                new Jobs(
                        new JobSubmission(registration, handOver.commands(), handOver.dispatcher()::wake, audit),
                        handOver.commands(),
                        new JobQueries(
                                stores.database(),
                                stores.jobs(),
                                stores.owners(),
                                stores.numbers(),
                                stores.places().layout())),
                new StoredSandboxes(
                        stores.database(),
                        stores.owners(),
                        stores.numbers(),
                        stores.places().layout(),
                        stores.secrets().tokens()),
                new StoredDescriptions(stores.database(), stores.numbers(), descriptions.languages()));
    }

    private static void sweeps(Opening o, StoreParts stores, HandOverParts handOver, JobsConfig jobs) {
        Runnable wake = handOver.dispatcher()::wake;
        PurgeQueue purges = new PurgeQueue(stores.database(), stores.jobs(), stores.commands(), o.clock(), wake);
        JobPurger purger = new JobPurger(purges, jobs.purgePolicy(), o.clock());
        o.sweep(jobs.purgeInterval(), "purge of old jobs", purger::sweep);
        DeferredPurgeSweeper deferred = new DeferredPurgeSweeper(purges);
        o.sweep(DEFERRED_PURGES, "deferred purges of cancelled jobs", deferred::sweep);
        LeaseSweeper leases = new LeaseSweeper(
                stores.database(),
                stores.jobs(),
                new CancelRequests(stores.jobs(), stores.commands(), stores.machine()),
                o.clock(),
                jobs.leaseSweepInterval(),
                wake);
        o.sweep(jobs.leaseSweepInterval(), "sweep of leases", leases::sweep);
        RegisterKeySweeper keys = new RegisterKeySweeper(stores.database(), o.clock());
        o.sweep(KEY_SWEEP, "sweep of keys of registrations", keys::sweep);
    }
}
