package org.gelato.ce.core.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.gelato.ce.core.account.MemoryAccounts;
import org.gelato.ce.core.admission.AdmissionController;
import org.gelato.ce.core.admission.AdmissionLimits;
import org.gelato.ce.core.admission.HostReadings;
import org.gelato.ce.core.audit.RecordedTrail;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.description.ExpansionBudget;
import org.gelato.ce.core.description.Languages;
import org.gelato.ce.core.description.RuntimeEnvironments;
import org.gelato.ce.core.description.jdl.Jdl;
import org.gelato.ce.core.description.xrsl.Xrsl;
import org.gelato.ce.core.follow.CancelReminder;
import org.gelato.ce.core.follow.EndWitnesses;
import org.gelato.ce.core.follow.FollowedJobs;
import org.gelato.ce.core.follow.JobEndings;
import org.gelato.ce.core.follow.LrmsPoller;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.intake.ActiveHomes;
import org.gelato.ce.core.intake.SpoolReader;
import org.gelato.ce.core.intake.StoredFence;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEventIntake;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStateMachine;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.TextQuota;
import org.gelato.ce.core.lease.LeaseService;
import org.gelato.ce.core.lrms.BatchSystem;
import org.gelato.ce.core.message.DueSignal;
import org.gelato.ce.core.message.JournalMarks;
import org.gelato.ce.core.message.JournalReader;
import org.gelato.ce.core.message.Journals;
import org.gelato.ce.core.message.KnownRows;
import org.gelato.ce.core.message.MessageQuota;
import org.gelato.ce.core.message.StoredMessageFeed;
import org.gelato.ce.core.message.StoredMessageIntake;
import org.gelato.ce.core.sandbox.JobScripts;
import org.gelato.ce.core.sandbox.NewSandboxes;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.gelato.ce.core.service.DescriptionChecks;
import org.gelato.ce.core.service.JobCommands;
import org.gelato.ce.core.service.JobDelegations;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobInserts;
import org.gelato.ce.core.service.JobQueries;
import org.gelato.ce.core.service.JobRegistration;
import org.gelato.ce.core.service.JobSubmission;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.Queues;
import org.gelato.ce.core.wrapper.CommonSettings;
import org.gelato.ce.core.wrapper.MessageSettings;
import org.gelato.ce.core.wrapper.ProxyGuard;
import org.gelato.ce.core.wrapper.WrapperPatience;
import org.gelato.ce.core.wrapper.WrapperSettings;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.gelato.ce.core.wrapper.peer.TestUrls;

/**
 * The whole core on a real database, with a batch system and accounts the test controls. Several on one database are
 * several nodes.
 */
public final class TestCe implements AutoCloseable {
    public static final String JDL =
            "[ Executable = \"/bin/sleep\"; Arguments = \"3\"; BatchSystem = \"fake\"; QueueName = \"long\" ]";
    public static final Duration MAX_LEASE = Duration.ofHours(10);
    public static final WrapperTokens TOKENS =
            new WrapperTokens("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));

    /** Of messages; small, so that tests reach it. */
    public static final MessageQuota QUOTA = new MessageQuota(new MessageSettings(200, 20_000, 30_000), 100_000);

    private static final HandOverLimits PROBED_SOON =
            new HandOverLimits(50, Duration.ofSeconds(20), 50, -1, Duration.ofMillis(20));

    public final FakeLrms lrms;
    final SubmissionThrottle throttle;
    public final MemoryAccounts accounts = new MemoryAccounts();
    public final Database database;
    public final Jobs jobs;
    public final JobStore jobStore = new JobStore();
    public final JobNumbers numbers;
    public final JobStateMachine machine = new JobStateMachine();
    public final WrapperEventIntake events;
    public final StoredMessageIntake messages;
    public final StoredMessageFeed feed;
    /** Not started: a test calls for its rounds. */
    public final JournalReader journals;

    public final LrmsPoller poller;
    public final CommandDispatcher dispatcher;
    public final CommandStore commands;
    public final SandboxLayout layout = new SandboxLayout(Path.of("/sandboxes"));
    public final AdmissionController admission;
    public final JobCommands jobCommands;
    public final SpoolReader spool;
    public final LeaseService leases;
    public final StoredFence claims;
    /** Runtime environments that are configured. */
    public final List<RuntimeEnvironments.Snippet> snippets = new CopyOnWriteArrayList<>();

    /** Who claims commands when they are inserted. */
    public volatile DirectClaims direct;

    /** Writes the scripts; a test may have others written from some moment on. */
    volatile JobScripts scripts =
            (account, home, request, settings) -> CompletableFuture.completedFuture("#!/bin/bash\n");

    /** Runs before a batch of outcomes is written. */
    volatile Runnable beforeOutcomes = () -> {};

    /** The settings in the wrapper of each job handed over. */
    public final Map<JobId, WrapperSettings> wrappers = new ConcurrentHashMap<>();

    /** What was reported as done, and as refused. */
    public final RecordedTrail trail = new RecordedTrail();

    private final OwnerStore owners;
    private final Map<String, JobDelegations.Ref> delegations = new ConcurrentHashMap<>();
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
    private boolean started;

    public TestCe(Database database, FakeLrms lrms, String host) {
        this(database, lrms, host, PROBED_SOON, System::nanoTime);
    }

    /** With bounds for the hand-over and the clock it measures by, in nanoseconds. */
    public TestCe(Database database, FakeLrms lrms, String host, HandOverLimits limits, LongSupplier ticker) {
        this(database, lrms, host, limits, ticker, new TextQuota(database, 1 << 30));
    }

    /** With a quota of descriptions. */
    public TestCe(Database database, FakeLrms lrms, String host, TextQuota quota) {
        this(database, lrms, host, PROBED_SOON, System::nanoTime, quota);
    }

    private TestCe(
            Database database,
            FakeLrms lrms,
            String host,
            HandOverLimits limits,
            LongSupplier ticker,
            TextQuota quota) {
        this.database = database;
        this.lrms = lrms;
        RuntimeEnvironments environments = new RuntimeEnvironments(() -> snippets);
        Clock clock = Clock.tick(Clock.systemUTC(), Duration.ofNanos(1000));
        owners = new OwnerStore(database);
        addDelegation("d1", Instant.now().plusSeconds(3600));
        addDelegation("ended", Instant.now());
        numbers = JobNumbers.of(database);
        commands = new CommandStore(numbers);
        ActiveHomes homes = new ActiveHomes(database, layout);
        KnownRows known = new KnownRows();
        DueSignal due = new DueSignal();
        JournalMarks marks = new JournalMarks(true, known, due, clock);
        messages = new StoredMessageIntake(database, numbers, TOKENS, QUOTA, true, known, due, clock);
        feed = new StoredMessageFeed(database, owners, numbers, true, known, due, clock);
        journals = new JournalReader(
                database,
                numbers,
                new Journals(new SandboxStore(database, numbers, layout), accounts, true),
                TOKENS,
                messages,
                QUOTA,
                due,
                clock);
        events = new WrapperEventIntake(database, jobStore, numbers, machine, TOKENS, marks, clock);
        BatchSystem system = new BatchSystem(lrms, trail);
        poller = new LrmsPoller(
                system,
                new FollowedJobs(database, jobStore, new SandboxStore(database, numbers, layout), machine),
                new EndWitnesses(events, new JobEndings(database, accounts, TOKENS), marks),
                new CancelReminder(database, jobStore, commands, Duration.ofSeconds(2)),
                clock,
                Duration.ofMillis(200),
                List.of(owners.queue("fake", "long"), owners.queue("fake", "short")));
        throttle = new SubmissionThrottle(lrms, limits, ticker);
        dispatcher = new CommandDispatcher(
                database,
                commands,
                new CommandCompleter(database, jobStore, machine, new OutcomeClock(clock)),
                new CommandDispatcher.CommandExecutors(
                        new HandOver(
                                Map.of("fake", system),
                                Map.of("fake", throttle),
                                new Languages(List.of(Jdl.LANGUAGE, Xrsl.LANGUAGE)),
                                environments,
                                submissions(homes),
                                clock),
                        new LrmsControl(Map.of("fake", lrms), database, commands, poller::wake),
                        new PurgeSandbox(accounts, layout, new TrashRemover(accounts, layout, clock))),
                clock,
                host,
                50,
                ticker);
        direct = dispatcher;
        admission = new AdmissionController(
                database,
                jobStore,
                commands,
                AdmissionLimits.NONE,
                new HostReadings(Path.of("/proc"), 2811, Map.of("tmp", Path.of("/tmp"))),
                host,
                trail);
        admission.sample();
        jobCommands = new JobCommands(
                database,
                jobStore,
                commands,
                owners,
                numbers,
                machine,
                clock,
                new JobCommands.Listeners(
                        dispatcher::wake,
                        new DirectClaims() {
                            @Override
                            public Optional<Room> reserve(CommandKind kind, int count) {
                                return direct.reserve(kind, count);
                            }

                            @Override
                            public Hold hold(CommandKind kind) {
                                return direct.hold(kind);
                            }
                        },
                        trail));
        jobs = new Jobs(
                new JobSubmission(
                        new JobRegistration(
                                database,
                                owners,
                                new NewSandboxes(numbers, layout, accounts),
                                new DescriptionChecks(
                                        Queues.of("fake", List.of("long", "short")),
                                        environments,
                                        ExpansionBudget.ofHeap()),
                                new JobInserts(database, commands, quota, jobStore.counts(), clock),
                                new FixedDelegations(),
                                admission,
                                clock),
                        jobCommands,
                        dispatcher::wake,
                        trail),
                jobCommands,
                new JobQueries(database, jobStore, owners, numbers, layout));
        spool = new SpoolReader(homes, layout, accounts, events, messages, Runnable::run);
        claims = new StoredFence(database, jobStore, numbers, machine, TOKENS, clock);
        leases = new LeaseService(database, owners, clock, MAX_LEASE, trail);
    }

    private SubmissionBuilder submissions(ActiveHomes homes) {
        return new SubmissionBuilder(
                layout,
                homes,
                TOKENS,
                (account, home, request, settings) -> {
                    wrappers.put(settings.id(), settings);
                    return scripts.of(account, home, request, settings);
                },
                new CommonSettings(
                        new TestUrls(),
                        true,
                        null,
                        new ProxyGuard(Duration.ofHours(1), Duration.ofMinutes(1)),
                        true,
                        new WrapperPatience(Duration.ofHours(2), Duration.ofHours(1), null, 0, Duration.ofMinutes(10)),
                        MessageSettings.NONE));
    }

    /** Starts dispatcher and poller. */
    public TestCe start() {
        started = true;
        dispatcher.start();
        dispatcher.work();
        poller.start();
        spool.start(scheduler, Duration.ofMillis(100));
        return this;
    }

    /** Room for so many commands of each lane. */
    static Map<String, Integer> room(int each) {
        return Map.of(Lane.CONTROL, each, Lane.handOver("fake"), each, Lane.OTHER, each, Lane.PURGE, each);
    }

    public static Caller caller(String name) {
        return caller(name, "dteam001");
    }

    /** Of a local account. */
    public static Caller caller(String name, String account) {
        return new Caller(
                new GridIdentity(
                        "CN=" + name + ",O=Test",
                        List.of("/dteam"),
                        "dteam",
                        false,
                        Instant.now().plusSeconds(3600),
                        List.of()),
                account,
                false);
    }

    /** By a bearer token without capability scopes, which permits everything. */
    public static Caller tokenCaller(String name) {
        return new Caller(
                new TokenIdentity(
                        "https://iam.example.org/",
                        name,
                        "dteam",
                        Set.of(),
                        false,
                        List.of(),
                        "",
                        null,
                        Instant.now().plusSeconds(3600)),
                "dteam001",
                false);
    }

    public static Caller admin() {
        return new Caller(caller("admin").identity(), "dteam001", true);
    }

    public static JobDescription description(boolean autoStart) {
        return new JobDescription("ref", Jdl.LANGUAGE, JDL, "d1", null, null, autoStart);
    }

    /** Of one in a queue. */
    static JobDescription startedIn(String queue) {
        return new JobDescription("ref", Jdl.LANGUAGE, JDL.replace("long", queue), "d1", null, null, true);
    }

    /** Registers and starts one job. */
    public JobId submit(Caller caller) {
        return jobs.registration()
                .register(caller, List.of(description(true)), null)
                .get(0)
                .id();
    }

    public JobState state(Caller caller, JobId id) {
        return jobs.queries()
                .status(caller, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .status()
                .state();
    }

    public WrapperEvent event(JobId id, WrapperEvent.Kind kind, Integer exit, String reason) {
        return new WrapperEvent(id, 1, kind, Instant.now(), "wn1", exit, reason, null, TOKENS.of(id));
    }

    /** A delegation of everybody's, that registrations know. */
    public void addDelegation(String id, Instant expiresAt) {
        delegations.put(id, new JobDelegations.Ref(storeDelegation(id), expiresAt));
    }

    /** Stores a delegation, unless it is there; returns its row. */
    public int storeDelegation(String id) {
        int subject = owners.subject(caller("somebody").identity());
        int account = owners.account("dteam001");
        return database.inTransaction(h -> {
            h.execute(
                    "INSERT IGNORE INTO delegation (subject_id, account_id, client_id, fqans, chain, private_key, info,"
                            + " expires_at, created_at) VALUES (?, ?, ?, '', '', '', 'info', UTC_TIMESTAMP(6),"
                            + " UTC_TIMESTAMP(6))",
                    subject,
                    account,
                    id);
            return h.select("SELECT id FROM delegation WHERE client_id = ?", id)
                    .mapTo(Integer.class)
                    .one();
        });
    }

    /** The row of the delegation all test jobs use. */
    public int delegationRow() {
        return delegations.get("d1").row();
    }

    /** The clock of the completer, which reads it first for each batch. */
    private final class OutcomeClock extends Clock {
        private final Clock clock;

        OutcomeClock(Clock clock) {
            this.clock = clock;
        }

        @Override
        public Instant instant() {
            beforeOutcomes.run();
            return clock.instant();
        }

        @Override
        public ZoneId getZone() {
            return clock.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("no zones here");
        }
    }

    private final class FixedDelegations implements JobDelegations {
        @Override
        public Map<String, Ref> find(Caller caller, Collection<String> ids) {
            Map<String, Ref> found = new HashMap<>(delegations);
            found.keySet().retainAll(ids);
            return found;
        }

        @Override
        public void forget(Caller caller, Collection<String> ids) {
            ids.forEach(id -> delegations.computeIfPresent(
                    id,
                    (i, ref) -> database.read(h -> h.select("SELECT id FROM delegation WHERE client_id = ?", id)
                                    .mapTo(Integer.class)
                                    .findOne())
                            .map(row -> new Ref(row, ref.expiresAt()))
                            .orElse(null)));
        }

        @Override
        public void putProxy(Caller caller, String id, String pemChain) {
            throw new UnsupportedOperationException("no proxies here");
        }
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
        poller.close();
        if (started) {
            dispatcher.close();
        }
    }
}
