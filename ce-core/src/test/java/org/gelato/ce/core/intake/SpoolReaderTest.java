package org.gelato.ce.core.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.account.MemoryAccounts;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Events of several homes share a transaction; a home that fails is tried by itself. */
class SpoolReaderTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final MemoryAccounts accounts = new MemoryAccounts();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<List<JobId>> applied = new ArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(SpoolReader.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final AtomicLong nanos = new AtomicLong();
    private JobId broken;
    private TestCe ce;
    private SpoolReader reader;

    @BeforeEach
    void open() {
        log.start();
        logger.addAppender(log);
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        reader = new SpoolReader(
                new SpoolHomes(DB.database(), ce.layout),
                ce.layout,
                ce.numbers,
                accounts,
                this::apply,
                ce.messages,
                tasks::add,
                nanos::get);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
        ce.close();
    }

    private int apply(List<WrapperEvent> events) {
        List<JobId> jobs = events.stream().map(WrapperEvent::job).toList();
        applied.add(jobs);
        if (jobs.contains(broken)) {
            throw new IllegalStateException("the database is away");
        }
        return jobs.size();
    }

    /** A job of somebody with one event in the spool. */
    private JobId job(String name) {
        Caller caller = TestCe.caller(name);
        JobId id = ce.submit(caller);
        Path home = ce.layout.home(caller.identity().owner(), caller.account());
        accounts.write(
                ce.layout.events(home).resolve("e-" + id),
                String.join(
                                "\n",
                                "job=" + id,
                                "attempt=1",
                                "event=RUNNING",
                                "time=1700000000000000",
                                "node=wn1",
                                "exit=",
                                "token=" + TestCe.TOKENS.of(id))
                        .getBytes(StandardCharsets.UTF_8));
        return id;
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void whatArrivedFromSeveralHomesIsAppliedTogether() {
        JobId one = job("One");
        JobId two = job("Two");
        reader.scan();
        reader.scan(); // homes that are being read are left alone
        runTasks();
        assertThat(applied).hasSize(1);
        assertThat(applied.get(0)).containsExactlyInAnyOrder(one, two);
        assertThat(accounts.files()).isEmpty();
    }

    @Test
    void aHomeThatFailsKeepsItsFilesAndNobodyElses() {
        JobId one = job("One");
        broken = job("Two");
        reader.scan();
        runTasks();
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement(STRING)
                .contains("the database is away");
        assertThat(applied).hasSize(3).contains(List.of(one), List.of(broken));
        assertThat(accounts.files()).hasSize(1);
        broken = null;
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        reader.scan();
        runTasks();
        assertThat(accounts.files()).isEmpty();
    }

    /** The batch system showed the end, and the CE was killed before it read the job's events. */
    @Test
    void eventsOfJobsThatEndedBeforeTheirEventsWereReadAreRead() {
        JobId one = job("One");
        assertThat(ce.events.apply(List.of(ce.event(one, WrapperEvent.Kind.DONE, 0, null))))
                .isOne();
        DB.database().inTransaction(h -> h.execute("DELETE FROM job")); // purged, too
        reader.scan();
        runTasks();
        assertThat(applied).containsExactly(List.of(one));
        assertThat(accounts.files()).isEmpty();
    }

    @Test
    void aHomeIsForgottenOnceItIsEmptyAndItsJobsHaveEnded() {
        SpoolHomes homes = new SpoolHomes(DB.database(), ce.layout);
        JobId one = job("One");
        homes.rebuild();
        SpoolHomes.Home home = homes.list().get(0);
        homes.scanned(home, true);
        homes.failed(home);
        homes.rebuild();
        assertThat(homes.list()).as("active, whatever a scan found").containsExactly(home);
        ce.events.apply(List.of(ce.event(one, WrapperEvent.Kind.DONE, 0, null)));
        homes.rebuild();
        homes.scanned(home, true);
        homes.scanned(home, false);
        homes.rebuild();
        assertThat(homes.list()).as("held an event").containsExactly(home);
        homes.failed(home);
        assertThat(homes.list()).as("left alone for a while").isEmpty();
        homes.rebuild();
        assertThat(homes.list()).as("tried again").containsExactly(home);
        homes.scanned(home, true);
        homes.rebuild();
        assertThat(homes.list()).isEmpty();
    }

    @Test
    void aFloodOfFilesThatAreNoEventsIsOneLineOfTheLog() {
        JobId one = job("One");
        Path spool = accounts.files().keySet().iterator().next().getParent();
        for (int i = 0; i < 1200; i++) {
            accounts.write(spool.resolve("flood-" + i), new byte[0]);
        }
        reader.scan();
        runTasks();
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement(STRING)
                .contains("1200 files")
                .contains(spool.toString())
                .contains("flood-");
        assertThat(applied).contains(List.of(one));
        assertThat(accounts.files()).isEmpty();
    }

    @Test
    void aFloodThatGoesOnIsSaidAgainAtTheNextScan() {
        job("One");
        Path spool = accounts.files().keySet().iterator().next().getParent();
        for (int scan = 1; scan <= 2; scan++) {
            accounts.write(spool.resolve("flood"), new byte[0]);
            reader.scan();
            runTasks();
            assertThat(log.list).hasSize(scan);
        }
    }

    @Test
    void aSpoolThatCannotBeEmptiedIsSaidOnce() {
        broken = job("One");
        for (int scan = 1; scan <= 3; scan++) {
            reader.scan();
            runTasks();
        }
        assertThat(log.list).hasSize(1);
    }

    @Test
    void whatEndsWithTheCeIsNoComplaint() {
        job("One");
        broken = job("Two");
        reader.scan();
        reader.close(); // the files have arrived, and the database goes
        runTasks();
        assertThat(log.list).isEmpty();
        reader.scan();
        assertThat(tasks).as("a scan after the end").isEmpty();
    }
}
