package org.gelato.ce.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.blahbridge.HelperAccountCommands;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.admission.AdmissionController;
import org.gelato.ce.core.admission.AdmissionLimits;
import org.gelato.ce.core.admission.HostReadings;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.base.ExpansionBudget;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.command.DirectClaims;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.delegation.AttributeReader;
import org.gelato.ce.core.delegation.DelegationEnd;
import org.gelato.ce.core.delegation.DelegationService;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.delegation.KeyPool;
import org.gelato.ce.core.delegation.KeyVault;
import org.gelato.ce.core.delegation.ProxyCheck;
import org.gelato.ce.core.delegation.ProxyFiles;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.TextQuota;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.core.sandbox.NewSandboxes;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.service.DescriptionChecks;
import org.gelato.ce.core.service.JobCommands;
import org.gelato.ce.core.service.JobInserts;
import org.gelato.ce.core.service.JobQueries;
import org.gelato.ce.core.service.JobRegistration;
import org.gelato.ce.core.service.JobSubmission;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.Queues;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.TransferPrograms;

/**
 * The job side of a CE as the product wires it, on one of the schemas; without threads, and without a helper, which no job
 * of {@link Scene} needs before it is handed over.
 */
final class CoreParts implements AutoCloseable {
    private static final int GRIDFTP = 2811;

    private final KeyPool keys = new KeyPool(1);
    private final JobNumbers numbers;
    private final OwnerStore owners;
    private final JobStore store = new JobStore();
    private final Jobs jobs;

    CoreParts(Database database) {
        Clock clock = clock();
        SandboxLayout layout = layout();
        owners = new OwnerStore(database);
        numbers = JobNumbers.of(database);
        CommandStore commands = new CommandStore(numbers);
        AdmissionController admission = new AdmissionController(
                database,
                store,
                commands,
                AdmissionLimits.NONE,
                new HostReadings(Path.of("/proc"), GRIDFTP, Map.of()),
                "bench",
                AuditTrail.NONE);
        admission.sample();
        JobStateMachine machine = new JobStateMachine();
        JobCommands jobCommands = new JobCommands(
                database,
                store,
                commands,
                owners,
                numbers,
                machine,
                clock,
                new JobCommands.Listeners(() -> {}, DirectClaims.NONE, AuditTrail.NONE));
        jobs = new Jobs(
                new JobSubmission(
                        new JobRegistration(
                                database,
                                owners,
                                new NewSandboxes(numbers, layout, noHelper()),
                                new DescriptionChecks(
                                        Queues.of(Scene.LRMS, List.of(Scene.QUEUE)),
                                        RuntimeEnvironments.NONE,
                                        TransferPrograms.NONE,
                                        ExpansionBudget.ofHeap(),
                                        () -> Routes.NONE,
                                        clock),
                                new JobInserts(
                                        database,
                                        commands,
                                        new TextQuota(database, TextQuota.NONE),
                                        store.counts(),
                                        JobInserts.Turns.USERS,
                                        clock),
                                delegations(database, layout, clock),
                                admission,
                                clock),
                        jobCommands,
                        () -> {},
                        AuditTrail.NONE),
                jobCommands,
                new JobQueries(database, store, owners, numbers, layout));
    }

    /** The clock of the product: the database keeps microseconds. */
    static Clock clock() {
        return Clock.tick(Clock.systemUTC(), Duration.ofNanos(1000));
    }

    static SandboxLayout layout() {
        return new SandboxLayout(BenchSite.base().resolve("sandboxes"));
    }

    /** Work of accounts where there is none to do. */
    static AccountCommands noHelper() {
        return new HelperAccountCommands((verb, args) ->
                CompletableFuture.failedFuture(new IllegalStateException("no helper runs beside this benchmark")));
    }

    private DelegationService delegations(Database database, SandboxLayout layout, Clock clock) {
        try {
            return new DelegationService(
                    database,
                    owners,
                    new ProxyFiles(layout, noHelper()),
                    new DelegationService.Keys(
                            keys, KeyVault.open(BenchSite.base().resolve("key"), true), Duration.ZERO),
                    new ProxyCheck(
                            chain -> Optional.of("no chain is delegated in this benchmark"),
                            chain -> AttributeReader.Attributes.NONE,
                            clock),
                    new DelegationEnd.Listeners((delegation, reason) -> {}, AuditTrail.NONE),
                    Delegations.Quota.NONE,
                    clock);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Jobs jobs() {
        return jobs;
    }

    JobStore store() {
        return store;
    }

    int owner() {
        return owners.owner(Scene.caller().identity());
    }

    /** The wire's ids of rows. */
    List<String> ids(List<Integer> rows) {
        return rows.stream().map(row -> numbers.id(row).toString()).toList();
    }

    @Override
    public void close() {
        keys.close();
    }
}
