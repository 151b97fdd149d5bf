package org.gelato.ce.ws.boot;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.admission.AdmissionController;
import org.gelato.ce.core.admission.AdmissionLimits;
import org.gelato.ce.core.admission.HostReadings;
import org.gelato.ce.core.command.CommandCompleter;
import org.gelato.ce.core.command.CommandDispatcher;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.command.HandOver;
import org.gelato.ce.core.command.HandOverLimits;
import org.gelato.ce.core.command.LrmsControl;
import org.gelato.ce.core.command.LrmsPace;
import org.gelato.ce.core.command.PurgeSandbox;
import org.gelato.ce.core.command.TrashRemover;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.intake.ActiveHomes;
import org.gelato.ce.core.intake.SpoolReader;
import org.gelato.ce.core.intake.StoredClaims;
import org.gelato.ce.core.intake.WrapperEventIntake;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.service.JobCommands;
import org.gelato.ce.core.service.JobDelegations;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.sweep.JobPurger;
import org.gelato.ce.core.service.JobQueries;
import org.gelato.ce.core.service.JobRegistration;
import org.gelato.ce.core.service.JobService;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.sweep.RegisterKeySweeper;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.sandbox.StoredSandboxes;
import org.gelato.ce.core.job.TextQuota;
import org.gelato.ce.core.sweep.LeaseSweeper;
import org.gelato.ce.core.follow.CancelReminder;
import org.gelato.ce.core.follow.JobEndings;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.follow.LrmsPoller;
import org.gelato.ce.core.follow.PollHistory;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.wrapper.JobWrapper;
import org.gelato.ce.core.wrapper.ProxyGuard;
import org.gelato.ce.ws.config.JobsConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The job side of a CE, wired: from registration to purge. Made and started before anything listens,
 * set to work when something does, closed after the last request. What it leaves behind when killed is taken up by the next start.
 */
final class JobEngine implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JobEngine.class);
    private static final int MAX_IN_FLIGHT = 200;
    private static final Duration SAMPLE = Duration.ofSeconds(5);
    private static final Duration KEY_SWEEP = Duration.ofMinutes(10);
    private static final Duration TRASH_SWEEP = Duration.ofHours(1);

    private final Settings settings;
    private final SandboxStore sandboxes;
    private final StoredSandboxes places;
    private final SandboxLayout layout;
    private final WrapperEventIntake events;
    private final StoredClaims claims;
    private final List<LrmsPoller> pollers;
    private final CommandDispatcher dispatcher;
    private final TrashRemover trash;
    private final AdmissionController admission;
    private final SpoolReader spool;
    private final JobCommands jobCommands;
    private final RegisterKeySweeper keySweeper;
    private final JobService jobs;
    private final JobPurger purger;
    private final LeaseSweeper leaseSweeper;
    private final JobStateMachine machine = new JobStateMachine();
    private final ExecutorService intake = Executors.newFixedThreadPool(2, r -> daemon(r, "event-intake"));
    private final ScheduledExecutorService scheduler;
    private boolean closed;

    /**
     * What the engine is told.
     *
     * @param baseUrl {@code https://host:port}
     * @param host this node's name in the database
     * @param lrms each batch system with its queues
     * @param wrapperSecret at least 16 bytes, the same over restarts and nodes
     * @param spoolEvents whether wrappers leave events in the spool; by HTTPS otherwise
     * @param wrapperCaDirectory authorities by which wrappers believe this CE over HTTPS
     * @param handOver bounds for what each batch system is given
     * @param lives how long jobs and leases live
     * @param proxyGuard how wrappers look after their proxies
     * @param hostReadings what admission measures of this host
     * @param wrapperPatience how long wrappers go on asking a CE that does not answer, where worker nodes do not see the
     *     sandboxes; null where they do
     */
    record Settings(
            URI baseUrl,
            String host,
            Map<Lrms, List<String>> lrms,
            byte[] wrapperSecret,
            boolean spoolEvents,
            Path wrapperCaDirectory,
            Duration scanInterval,
            Duration pollInterval,
            HandOverLimits handOver,
            AdmissionLimits limits,
            JobsConfig lives,
            ProxyGuard proxyGuard,
            HostReadings hostReadings,
            Duration wrapperPatience) {}

    JobEngine(
            Settings settings,
            Database database,
            OwnerStore owners,
            SandboxLayout layout,
            AccountCommands accounts,
            JobDelegations delegations,
            Clock clock,
            ScheduledExecutorService scheduler) {
        this.settings = settings;
        this.layout = layout;
        this.scheduler = scheduler;
        JobNumbers numbers = JobNumbers.of(database);
        JobStore store = new JobStore();
        CommandStore commands = new CommandStore(numbers);
        WrapperTokens tokens = new WrapperTokens(settings.wrapperSecret());
        ActiveHomes homes = new ActiveHomes(database, layout);
        sandboxes = new SandboxStore(database, numbers, layout);
        places = new StoredSandboxes(database, owners, numbers, layout, tokens);
        events = new WrapperEventIntake(database, store, numbers, machine, tokens, clock);
        claims = new StoredClaims(database, store, numbers, machine, tokens, clock);
        Map<String, Lrms> byName = new LinkedHashMap<>();
        Map<String, LrmsPace> paces = new LinkedHashMap<>();
        Map<String, Set<String>> queues = new LinkedHashMap<>();
        settings.lrms().forEach((lrms, names) -> {
            byName.put(lrms.name(), lrms);
            paces.put(lrms.name(), new LrmsPace(lrms, settings.handOver(), System::nanoTime));
            queues.put(lrms.name().toLowerCase(Locale.ROOT), new LinkedHashSet<>(names));
        });
        pollers = settings.lrms().entrySet().stream()
                .map(e -> new LrmsPoller(
                        e.getKey(),
                        database,
                        store,
                        sandboxes,
                        machine,
                        events,
                        new JobEndings(database, accounts, tokens),
                        new CancelReminder(database, store, commands, CancelReminder.USUAL_GRACE),
                        clock,
                        settings.pollInterval(),
                        e.getValue().stream()
                                .map(q -> owners.queue(e.getKey().name(), q))
                                .toList()))
                .toList();
        trash = new TrashRemover(accounts);
        dispatcher = new CommandDispatcher(
                database,
                commands,
                new CommandCompleter(database, store, machine, clock),
                new HandOver(
                        byName,
                        paces,
                        layout,
                        homes,
                        tokens,
                        JobWrapper::script,
                        settings.baseUrl(),
                        settings.spoolEvents(),
                        settings.wrapperCaDirectory(),
                        settings.proxyGuard(),
                        settings.wrapperPatience()),
                new LrmsControl(byName),
                new PurgeSandbox(accounts, layout, trash),
                () -> pollers.forEach(LrmsPoller::wake),
                clock,
                settings.host(),
                MAX_IN_FLIGHT);
        admission = new AdmissionController(
                database, store, commands, settings.limits(), settings.hostReadings(), settings.host());
        jobCommands = new JobCommands(
                database, store, commands, owners, numbers, machine, clock, dispatcher::wake, dispatcher);
        jobs = new JobService(
                new JobRegistration(
                        database,
                        owners,
                        commands,
                        numbers,
                        delegations,
                        admission,
                        accounts,
                        layout,
                        queues,
                        new TextQuota(database, settings.lives().maxText()),
                        clock),
                jobCommands,
                new JobQueries(database, store, owners, numbers, layout),
                dispatcher::wake);
        spool = new SpoolReader(homes, layout, accounts, events, intake);
        purger = new JobPurger(database, store, commands, settings.lives().purgePolicy(), clock, dispatcher::wake);
        keySweeper = new RegisterKeySweeper(database, clock);
        leaseSweeper =
                new LeaseSweeper(database, commands, clock, settings.lives().leaseSweepInterval(), dispatcher::wake);
    }

    /** What requests need: room, and this node's place among those that share the database. */
    void start() {
        admission.sample();
        dispatcher.start();
    }

    /** Takes up what an earlier process left, and begins what goes on by itself. Once, after {@link #start()}. */
    synchronized void work() {
        if (closed) {
            return;
        }
        scheduler.scheduleWithFixedDelay(
                admission::sample, SAMPLE.toMillis(), SAMPLE.toMillis(), TimeUnit.MILLISECONDS);
        dispatcher.work();
        pollers.forEach(LrmsPoller::start);
        if (settings.spoolEvents()) {
            spool.start(scheduler, settings.scanInterval());
        }
        scheduler.execute(this::emptyTrash);
        Sweeps sweeps = new Sweeps(scheduler);
        sweeps.every(TRASH_SWEEP, "removal of purged sandboxes", this::emptyTrash);
        sweeps.every(settings.lives().purgeInterval(), "purge of old jobs", purger::sweep);
        sweeps.every(settings.lives().leaseSweepInterval(), "sweep of leases", leaseSweeper::sweep);
        sweeps.every(KEY_SWEEP, "sweep of keys of registrations", keySweeper::sweep);
    }

    /** Sandboxes that were renamed away and not removed: the process died before, or could not. */
    private void emptyTrash() {
        try {
            for (SandboxStore.Home home : sandboxes.homes()) {
                trash.empty(home.account(), layout.trash(home.directory()));
            }
        } catch (RuntimeException e) {
            log.warn("trash of purged sandboxes not emptied: {}", e.toString());
        }
    }

    JobService jobs() {
        return jobs;
    }

    StoredSandboxes sandboxes() {
        return places;
    }

    JobCommands jobCommands() {
        return jobCommands;
    }

    AdmissionController admission() {
        return admission;
    }

    WrapperEventIntake events() {
        return events;
    }

    StoredClaims claims() {
        return claims;
    }

    CommandDispatcher dispatcher() {
        return dispatcher;
    }

    /** How the polls of each batch system went, by its name. */
    Map<String, PollHistory> polls() {
        return pollers.stream().collect(Collectors.toMap(LrmsPoller::name, LrmsPoller::history));
    }

    JobStateMachine machine() {
        return machine;
    }

    private static Thread daemon(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        return t;
    }

    @Override
    public synchronized void close() {
        closed = true;
        spool.close();
        pollers.forEach(LrmsPoller::close);
        dispatcher.close();
        intake.shutdown();
    }
}
