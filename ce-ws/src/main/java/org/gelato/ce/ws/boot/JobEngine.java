package org.gelato.ce.ws.boot;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.admission.AdmissionController;
import org.gelato.ce.core.admission.HostReadings;
import org.gelato.ce.core.command.CommandCompleter;
import org.gelato.ce.core.command.CommandDispatcher;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.command.HandOver;
import org.gelato.ce.core.command.LrmsControl;
import org.gelato.ce.core.command.PurgeSandbox;
import org.gelato.ce.core.command.SubmissionThrottle;
import org.gelato.ce.core.command.TrashRemover;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.description.ExpansionBudget;
import org.gelato.ce.core.description.Languages;
import org.gelato.ce.core.description.RuntimeEnvironments;
import org.gelato.ce.core.description.adl.Adl;
import org.gelato.ce.core.description.jdl.Jdl;
import org.gelato.ce.core.description.xrsl.Xrsl;
import org.gelato.ce.core.follow.CancelReminder;
import org.gelato.ce.core.follow.ClusterMonitor;
import org.gelato.ce.core.follow.JobEndings;
import org.gelato.ce.core.follow.LrmsPoller;
import org.gelato.ce.core.follow.PollHistory;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.intake.ActiveHomes;
import org.gelato.ce.core.intake.SpoolReader;
import org.gelato.ce.core.intake.StoredFence;
import org.gelato.ce.core.intake.WrapperEventIntake;
import org.gelato.ce.core.job.JobEnds;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.TextQuota;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.message.DueSignal;
import org.gelato.ce.core.message.JournalMarks;
import org.gelato.ce.core.message.JournalReader;
import org.gelato.ce.core.message.KnownRows;
import org.gelato.ce.core.message.MessageQuota;
import org.gelato.ce.core.message.StoredMessageFeed;
import org.gelato.ce.core.message.StoredMessageIntake;
import org.gelato.ce.core.sandbox.JobScripts;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.sandbox.SharedScripts;
import org.gelato.ce.core.sandbox.StoredSandboxes;
import org.gelato.ce.core.service.JobCommands;
import org.gelato.ce.core.service.JobDelegations;
import org.gelato.ce.core.service.JobQueries;
import org.gelato.ce.core.service.JobRegistration;
import org.gelato.ce.core.service.JobService;
import org.gelato.ce.core.service.Queues;
import org.gelato.ce.core.service.StoredDescriptions;
import org.gelato.ce.core.sweep.JobPurger;
import org.gelato.ce.core.sweep.LeaseSweeper;
import org.gelato.ce.core.sweep.RegisterKeySweeper;
import org.gelato.ce.core.sweep.WrapperFileSweeper;
import org.gelato.ce.core.wrapper.SnippetDirectory;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.WrapperConfig;
import org.gelato.ce.ws.web.CreamUrls;
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
    private static final Duration REFRESH = Duration.ofSeconds(1);
    private static final Duration KEY_SWEEP = Duration.ofMinutes(10);
    private static final Duration TRASH_SWEEP = Duration.ofHours(1);
    private static final Duration WRAPPER_FILE_SWEEP = Duration.ofDays(1);

    private final CeConfig config;
    private final Lrms lrms;
    private final Database database;
    private final OwnerStore owners;
    private final AccountCommands accounts;
    private final Clock clock;
    private final JobNumbers numbers;
    private final JobStore store;
    private final CommandStore commands;
    private final SandboxStore sandboxes;
    private final StoredSandboxes places;
    private final SandboxLayout layout;
    private final WrapperEventIntake events;
    private final StoredFence claims;
    private final StoredMessageIntake messages;
    private final StoredMessageFeed messageFeed;
    private final JournalReader journalReader;
    private final SubmissionThrottle throttle;
    private final LrmsPoller poller;
    private final ClusterMonitor cluster;
    private final CommandDispatcher dispatcher;
    private final TrashRemover trash;
    private final AdmissionController admission;
    private final SpoolReader spool;
    private final JobCommands jobCommands;
    private final RegisterKeySweeper keySweeper;
    private final JobPurger purger;
    private final LeaseSweeper leaseSweeper;
    private final WrapperFileSweeper wrapperFileSweeper;
    private final Languages languages = new Languages(List.of(Jdl.LANGUAGE, Adl.LANGUAGE, Xrsl.LANGUAGE));
    private final RuntimeEnvironments environments;
    private final ExpansionBudget expansions = ExpansionBudget.ofHeap();
    private final JobStateMachine machine = new JobStateMachine();
    private final ExecutorService intake = Executors.newFixedThreadPool(2, r -> daemon(r, "event-intake"));
    private final ScheduledExecutorService scheduler;
    private boolean closed;

    /**
     * @param lrms the batch system
     * @param wrapperSecret at least 16 bytes, the same over restarts and nodes
     * @param ends gets the jobs that ended
     */
    JobEngine(
            CeConfig config,
            Lrms lrms,
            byte[] wrapperSecret,
            Database database,
            OwnerStore owners,
            SandboxLayout layout,
            AccountCommands accounts,
            Clock clock,
            ScheduledExecutorService scheduler,
            Consumer<List<JobEnds.End>> ends) {
        this.config = config;
        this.lrms = lrms;
        this.database = database;
        this.owners = owners;
        this.layout = layout;
        this.accounts = accounts;
        this.clock = clock;
        this.scheduler = scheduler;
        Path snippets = config.wrapper().runtimeEnvironments();
        environments = snippets == null
                ? RuntimeEnvironments.NONE
                : new RuntimeEnvironments(new SnippetDirectory(snippets, System::nanoTime));
        numbers = JobNumbers.of(database);
        store = new JobStore(new JobEnds(ends));
        commands = new CommandStore(numbers);
        WrapperTokens tokens = new WrapperTokens(wrapperSecret);
        ActiveHomes homes = new ActiveHomes(database, layout);
        sandboxes = new SandboxStore(database, numbers, layout);
        places = new StoredSandboxes(database, owners, numbers, layout, tokens);
        boolean shared = config.sandbox().shared();
        MessageQuota quota =
                new MessageQuota(config.messages().job(), config.messages().bytesPerOwner());
        KnownRows known = new KnownRows();
        DueSignal due = new DueSignal();
        JournalMarks marks = quota.job().isOn() ? new JournalMarks(shared, known, due, clock) : JournalMarks.NONE;
        messages = new StoredMessageIntake(database, numbers, tokens, quota, shared, known, due, clock);
        messageFeed = new StoredMessageFeed(database, owners, numbers, shared, known, due, clock);
        journalReader =
                new JournalReader(database, numbers, sandboxes, accounts, tokens, messages, quota, shared, due, clock);
        events = new WrapperEventIntake(database, store, numbers, machine, tokens, marks, clock);
        claims = new StoredFence(database, store, numbers, machine, tokens, clock);
        Map<String, Lrms> byName = Map.of(lrms.name(), lrms);
        throttle = new SubmissionThrottle(lrms, config.lrms().handOver(), System::nanoTime);
        poller = new LrmsPoller(
                lrms,
                database,
                store,
                sandboxes,
                machine,
                events,
                new JobEndings(database, accounts, tokens),
                marks,
                new CancelReminder(database, store, commands, CancelReminder.USUAL_GRACE),
                clock,
                config.lrms().pollInterval(),
                config.lrms().queues().stream()
                        .map(q -> owners.queue(lrms.name(), q))
                        .toList());
        cluster = new ClusterMonitor(lrms, clock, scheduler);
        trash = new TrashRemover(accounts, layout, clock);
        dispatcher = new CommandDispatcher(
                database,
                commands,
                new CommandCompleter(database, store, machine, clock),
                new HandOver(
                        byName,
                        Map.of(lrms.name(), throttle),
                        layout,
                        homes,
                        tokens,
                        config.sandbox().shared() ? new SharedScripts(accounts, layout, clock) : JobScripts.WHOLE,
                        languages,
                        environments,
                        new CreamUrls(config.baseUrl()),
                        spoolEvents(),
                        config.wrapper().caDirectory(),
                        config.wrapper().proxyGuard(),
                        config.sandbox().shared(),
                        config.wrapper().patience(),
                        config.messages().job()),
                new LrmsControl(byName, database, commands),
                new PurgeSandbox(accounts, layout, trash),
                poller::wake,
                clock,
                config.node(),
                MAX_IN_FLIGHT);
        admission = new AdmissionController(database, store, commands, config.admission(), readings(), config.node());
        jobCommands = new JobCommands(
                database, store, commands, owners, numbers, machine, clock, dispatcher::wake, dispatcher);
        spool = new SpoolReader(homes, layout, accounts, events, messages, intake);
        purger = new JobPurger(database, store, commands, config.jobs().purgePolicy(), clock, dispatcher::wake);
        keySweeper = new RegisterKeySweeper(database, clock);
        leaseSweeper =
                new LeaseSweeper(database, commands, clock, config.jobs().leaseSweepInterval(), dispatcher::wake);
        wrapperFileSweeper = new WrapperFileSweeper(database, sandboxes, layout, accounts, clock);
    }

    /** What requests need: room, and this node's place among those that share the database. */
    void start() {
        admission.sample();
        dispatcher.start();
    }

    /** Takes up what an earlier process left, and begins the periodic work. Once, after {@link #start()}. */
    synchronized void work() {
        if (closed) {
            return;
        }
        scheduler.scheduleWithFixedDelay(
                admission::sample, SAMPLE.toMillis(), SAMPLE.toMillis(), TimeUnit.MILLISECONDS);
        scheduler.scheduleWithFixedDelay(
                admission::refresh, REFRESH.toMillis(), REFRESH.toMillis(), TimeUnit.MILLISECONDS);
        dispatcher.work();
        poller.start();
        cluster.start();
        journalReader.start();
        if (spoolEvents()) {
            spool.start(scheduler, config.wrapper().scanInterval());
        }
        scheduler.execute(() -> emptyTrash(true));
        Sweeps sweeps = new Sweeps(scheduler);
        sweeps.every(TRASH_SWEEP, "removal of purged sandboxes", () -> emptyTrash(false));
        sweeps.every(config.jobs().purgeInterval(), "purge of old jobs", purger::sweep);
        sweeps.every(config.jobs().leaseSweepInterval(), "sweep of leases", leaseSweeper::sweep);
        sweeps.every(KEY_SWEEP, "sweep of keys of registrations", keySweeper::sweep);
        sweeps.every(WRAPPER_FILE_SWEEP, "removal of old common parts of job wrappers", wrapperFileSweeper::sweep);
    }

    /** Sandboxes that were renamed away and not removed: the process died before, or could not. */
    private void emptyTrash(boolean start) {
        try {
            for (SandboxStore.Home home : sandboxes.homes()) {
                trash.sweep(home.account(), home.directory(), start);
            }
        } catch (RuntimeException | Error e) {
            log.warn("trash of purged sandboxes not emptied: {}", e.toString());
        }
    }

    /** The operations of users. Registration needs the delegations, and they need {@link #jobCommands()}. */
    JobService jobs(JobDelegations delegations) {
        Queues queues = new Queues(
                List.of(new Queues.BatchSystem(lrms.name(), config.lrms().queues(), lrms.submitOptions())));
        return new JobService(
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
                        environments,
                        expansions,
                        new TextQuota(database, config.jobs().maxText()),
                        store.counts(),
                        clock),
                jobCommands,
                new JobQueries(database, store, owners, numbers, layout),
                dispatcher::wake);
    }

    StoredSandboxes sandboxes() {
        return places;
    }

    /** Memory for what descriptions expand to. */
    ExpansionBudget expansions() {
        return expansions;
    }

    /** What descriptions may be written in. */
    Languages languages() {
        return languages;
    }

    /** What jobs may want to be set up. */
    RuntimeEnvironments environments() {
        return environments;
    }

    /** Descriptions of stored jobs. */
    StoredDescriptions descriptions() {
        return new StoredDescriptions(database, numbers, languages);
    }

    JobStore store() {
        return store;
    }

    CommandStore commands() {
        return commands;
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

    /** What running jobs send. */
    StoredMessageIntake messages() {
        return messages;
    }

    /** What running jobs have sent. */
    StoredMessageFeed messageFeed() {
        return messageFeed;
    }

    /** Reads what the CE lacks of it. */
    JournalReader journalReader() {
        return journalReader;
    }

    StoredFence claims() {
        return claims;
    }

    CommandDispatcher dispatcher() {
        return dispatcher;
    }

    TrashRemover trash() {
        return trash;
    }

    /** How fast jobs are handed over. */
    SubmissionThrottle throttle() {
        return throttle;
    }

    /** How the polls went. */
    PollHistory polls() {
        return poller.history();
    }

    /** What the batch system offers. */
    ClusterMonitor cluster() {
        return cluster;
    }

    JobStateMachine machine() {
        return machine;
    }

    /** Whether wrappers leave events in the spool; by HTTPS otherwise. */
    private boolean spoolEvents() {
        return config.wrapper().events() == WrapperConfig.Events.SPOOL;
    }

    private HostReadings readings() {
        return new HostReadings(
                Path.of("/proc"),
                config.gridFtp().port(),
                Map.of(
                        "home",
                        config.home(),
                        "sandbox",
                        config.sandboxRoot(),
                        "tmp",
                        Path.of(System.getProperty("java.io.tmpdir"))));
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
        journalReader.close();
        cluster.close();
        poller.close();
        dispatcher.close();
        intake.shutdown();
    }

    /** @param lrms name of the batch system */
    void meter(MeterRegistry meters, String lrms) {
        Wiring.counter(
                meters,
                "ce.events.dropped",
                "Events of wrappers that were refused",
                this,
                e -> e.events().dropped());
        Wiring.counter(
                meters,
                "ce.messages.stored",
                "Messages and pieces of output of running jobs that were stored",
                this,
                e -> e.messages().stored());
        Wiring.counter(
                meters,
                "ce.messages.dropped",
                "Messages and pieces of output dropped for a quota",
                this,
                e -> e.messages().dropped());
        Wiring.counter(
                meters,
                "ce.messages.refused",
                "Batches of messages without the right secret, or of jobs that take none",
                this,
                e -> e.messages().refused());
        Wiring.counter(
                meters,
                "ce.journals.read",
                "Journals of messages read after a gap or the end of their jobs",
                this,
                e -> e.journalReader().read());
        Wiring.counter(
                meters,
                "ce.transitions.refused",
                "Events that the rules of job states ignored",
                this,
                e -> e.machine().refused());
        Gauge.builder("ce.lrms.window", throttle(), SubmissionThrottle::window)
                .description("Hand-overs the batch system is given at once")
                .tag("lrms", lrms)
                .register(meters);
        Gauge.builder("ce.lrms.paused", throttle(), p -> p.pausedBy() == null ? 0 : 1)
                .description("Whether the hand-over pauses; /health/ready reports why")
                .tag("lrms", lrms)
                .register(meters);
        Gauge.builder("ce.lrms.poll.age.seconds", polls(), p -> p.age().toMillis() / 1000.0)
                .description("Since the last poll that succeeded, or the start when there was none")
                .tag("lrms", lrms)
                .register(meters);
        FunctionCounter.builder("ce.lrms.polls.failed", polls(), PollHistory::failures)
                .description("Polls that failed; /health/ready reports why")
                .tag("lrms", lrms)
                .register(meters);
        Gauge.builder("ce.trash.stuck", trash(), TrashRemover::stuck)
                .description("Directories with what purged jobs left that cannot be removed")
                .register(meters);
        Gauge.builder("ce.commands.in.flight", this, e -> e.dispatcher().inFlight())
                .description("Commands claimed and not completed")
                .register(meters);
    }
}
