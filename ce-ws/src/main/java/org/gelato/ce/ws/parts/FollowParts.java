package org.gelato.ce.ws.parts;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.follow.CancelReminder;
import org.gelato.ce.core.follow.ClusterMonitor;
import org.gelato.ce.core.follow.EndWitnesses;
import org.gelato.ce.core.follow.FollowedJobs;
import org.gelato.ce.core.follow.LrmsPoller;
import org.gelato.ce.core.follow.PollHistory;
import org.gelato.ce.core.follow.SandboxWitness;
import org.gelato.ce.core.intake.SpoolHomes;
import org.gelato.ce.core.intake.SpoolReader;
import org.gelato.ce.core.intake.StoredFence;
import org.gelato.ce.core.intake.WrapperEventIntake;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.message.DueSignal;
import org.gelato.ce.core.message.JournalMarks;
import org.gelato.ce.core.message.JournalReader;
import org.gelato.ce.core.message.Journals;
import org.gelato.ce.core.message.KnownRows;
import org.gelato.ce.core.message.MessageQuota;
import org.gelato.ce.core.message.StoredMessageFeed;
import org.gelato.ce.core.message.StoredMessageIntake;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.WrapperConfig;
import org.gelato.ce.ws.parts.monitoring.ClusterMeters;
import org.gelato.ce.ws.parts.monitoring.QueueState;

/**
 * What becomes of jobs that the batch system has: by the events and messages of their wrappers, and by polls.
 *
 * @param homes directories of owners with active jobs
 * @param claims which wrapper of a job may run
 */
record FollowParts(
        SpoolHomes homes,
        WrapperEventIntake events,
        StoredFence claims,
        Messages messages,
        LrmsPoller poller,
        ClusterMonitor cluster,
        SpoolReader spool,
        ExecutorService intake)
        implements AutoCloseable {
    private static final Duration VERSION_CHECK = Duration.ofSeconds(2);
    private static final Duration SCAN_INTERVAL = Duration.ofSeconds(1);

    /** Messages and live output of jobs: as they come, for those who read them, and what is left of them in the sandboxes. */
    record Messages(StoredMessageIntake intake, StoredMessageFeed feed, JournalReader journals) {}

    /** Its caller closes it, before what hands jobs over. */
    static FollowParts open(Opening o, StoreParts stores, HelperParts helper) {
        CeConfig config = o.config();
        Clock clock = o.clock();
        Database database = stores.database();
        AccountCommands accounts = helper.accounts();
        boolean shared = config.sandbox().shared();
        MessageQuota quota =
                new MessageQuota(config.messages().job(), config.messages().bytesPerOwner());
        KnownRows known = new KnownRows();
        DueSignal due = new DueSignal();
        JournalMarks marks = quota.job().isOn() ? new JournalMarks(shared, known, due, clock) : JournalMarks.NONE;
        StoredMessageIntake messages = new StoredMessageIntake(
                database, stores.numbers(), stores.secrets().tokens(), quota, shared, known, due, clock);
        WrapperEventIntake events = new WrapperEventIntake(
                database,
                stores.jobs(),
                stores.numbers(),
                stores.machine(),
                stores.secrets().tokens(),
                marks,
                clock);
        SpoolHomes homes = new SpoolHomes(database, stores.places().layout());
        ExecutorService intake = Executors.newFixedThreadPool(2, r -> Opening.daemon(r, "event-intake"));
        FollowParts parts = new FollowParts(
                homes,
                events,
                new StoredFence(
                        database,
                        stores.jobs(),
                        stores.numbers(),
                        stores.machine(),
                        stores.secrets().tokens(),
                        clock),
                new Messages(
                        messages,
                        new StoredMessageFeed(database, stores.owners(), stores.numbers(), shared, known, due, clock),
                        new JournalReader(
                                database,
                                stores.numbers(),
                                new Journals(stores.places().sandboxes(), accounts, shared),
                                stores.secrets().tokens(),
                                messages,
                                quota,
                                due,
                                clock)),
                poller(o, stores, helper, events, marks),
                new ClusterMonitor(helper.lrms(), clock, o.scheduler()),
                new SpoolReader(homes, stores.places().layout(), stores.numbers(), accounts, events, messages, intake),
                intake);
        parts.register(o, helper.lrms());
        return parts;
    }

    private static LrmsPoller poller(
            Opening o, StoreParts stores, HelperParts helper, WrapperEventIntake events, JournalMarks marks) {
        Lrms lrms = helper.lrms();
        return new LrmsPoller(
                helper.system(),
                new FollowedJobs(
                        stores.database(), stores.jobs(), stores.places().sandboxes(), stores.machine()),
                new EndWitnesses(
                        events,
                        new SandboxWitness(
                                stores.database(),
                                helper.accounts(),
                                stores.secrets().tokens()),
                        marks),
                new CancelReminder(stores.database(), stores.jobs(), stores.commands(), CancelReminder.USUAL_GRACE),
                o.clock(),
                o.config().lrms().pollInterval(),
                o.config().lrms().queues().stream()
                        .map(q -> stores.owners().queue(lrms.name(), q))
                        .toList());
    }

    /** Whether wrappers leave events in the spool; by HTTPS otherwise. */
    static boolean bySpool(CeConfig config) {
        return config.wrapper().events() == WrapperConfig.Events.SPOOL;
    }

    private void register(Opening o, Lrms lrms) {
        List<String> queues = o.config().lrms().queues();
        o.every(Duration.ZERO, VERSION_CHECK, ClusterMeters.register(o.meters(), lrms.name(), queues, cluster));
        QueueState state = new QueueState(lrms.name(), queues, cluster::status);
        o.check(state);
        o.every(Duration.ZERO, VERSION_CHECK, state::report);
        o.work(() -> {
            poller.start();
            cluster.start();
            messages.journals().start();
            if (bySpool(o.config())) {
                spool.start(o.scheduler(), SCAN_INTERVAL);
            }
        });
        meter(o);
        Gauge.builder("ce.lrms.poll.age.seconds", polls(), p -> p.age().toMillis() / 1000.0)
                .description("Since the last poll that succeeded, or the start when there was none")
                .tag("lrms", lrms.name())
                .register(o.meters());
        FunctionCounter.builder("ce.lrms.polls.failed", polls(), PollHistory::failures)
                .description("Polls that failed; /health/ready reports why")
                .tag("lrms", lrms.name())
                .register(o.meters());
    }

    private void meter(Opening o) {
        o.counter("ce.events.dropped", "Events of wrappers that were refused", events, WrapperEventIntake::dropped);
        o.counter(
                "ce.messages.stored",
                "Messages and pieces of output of running jobs that were stored",
                messages.intake(),
                StoredMessageIntake::stored);
        o.counter(
                "ce.messages.dropped",
                "Messages and pieces of output dropped for a quota",
                messages.intake(),
                StoredMessageIntake::dropped);
        o.counter(
                "ce.messages.refused",
                "Batches of messages without the right secret, or of jobs that take none",
                messages.intake(),
                StoredMessageIntake::refused);
        o.counter(
                "ce.journals.read",
                "Journals of messages read after a gap or the end of their jobs",
                messages.journals(),
                JournalReader::read);
    }

    /** How the polls went. */
    PollHistory polls() {
        return poller.history();
    }

    @Override
    public void close() {
        spool.close();
        messages.journals().close();
        cluster.close();
        poller.close();
        intake.shutdown();
    }
}
