package org.gelato.ce.core.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The limits of the host, with kernel files the test writes (docs/developer/protocol/behaviour.md section 7). */
class LimiterTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final HostLimits SHIPPED = new HostLimits(40, 40, 20, 95, 95, 500, -1, 30);

    @TempDir
    private Path proc;

    @BeforeEach
    void idleHost() throws IOException {
        Files.createDirectories(proc.resolve("sys/fs"));
        Files.createDirectories(proc.resolve("net"));
        load("0.10 0.20 0.30");
        write("meminfo", "MemTotal: 1000 kB\nMemAvailable: 500 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n");
        write("sys/fs/file-nr", "1000\t0\t9223372036854775807\n");
        DB.database()
                .inTransaction(
                        h -> h.execute("UPDATE admission_state SET state = 0, message = NULL, changed_by = NULL"));
    }

    private void write(String file, String content) {
        try {
            Files.writeString(proc.resolve(file), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void load(String averages) {
        write("loadavg", averages + " 1/234 5678\n");
    }

    private AdmissionController node(String name, HostLimits limits) {
        return new AdmissionController(
                DB.database(),
                new JobStore(),
                new CommandStore(JobNumbers.of(DB.database())),
                new AdmissionLimits(limits, -1, -1, -1, -1),
                new HostReadings(proc, 2811, Map.of("home", proc)),
                name,
                AuditTrail.NONE);
    }

    private Admission.State sampled(HostLimits limits) {
        AdmissionController node = node("host1", limits);
        node.sample();
        return node.state();
    }

    private static String stored() {
        return DB.database()
                .read(h -> h.select("SELECT CONCAT(state, ' ', COALESCE(message, '')) FROM admission_state")
                        .mapTo(String.class)
                        .one());
    }

    @Test
    void aLoadAboveItsLimitClosesTheCeUntilItIsBelow() {
        AdmissionController node = node("host1", SHIPPED);
        node.sample();
        node.admit(TestCe.caller("Alice"), 1);
        String line = "Threshold for Load Average(1 min): 40 => Detected value for Load Average(1 min): 41.2";
        load("41.2 0.20 0.30");
        node.sample();
        assertThat(node.state().accepting()).isFalse();
        assertThat(node.state().message()).isEqualTo(line);
        assertThat(node.state().thresholds()).startsWith(line + "\n");
        assertThat(stored()).isEqualTo("1 " + line);
        assertThatThrownBy(() -> node.admit(TestCe.caller("Alice"), 1))
                .isInstanceOfSatisfying(
                        ServiceException.class, e -> assertThat(e.faultCause()).isEqualTo(line));
        load("40.00 0.20 0.30");
        node.sample();
        assertThat(node.state().accepting()).isTrue();
        assertThat(node.state().message()).isNull();
        assertThat(stored()).isEqualTo("0 ");
    }

    @Test
    void whatWasStoredSinceTheLastSampleOrIsBeingStoredCounts() {
        AdmissionController node = new AdmissionController(
                DB.database(),
                new JobStore(),
                new CommandStore(JobNumbers.of(DB.database())),
                new AdmissionLimits(HostLimits.NONE, -1, 10, -1, 8),
                new HostReadings(proc, 2811, Map.of("home", proc)),
                "host1",
                AuditTrail.NONE);
        node.sample();
        node.admit(TestCe.caller("Alice"), 8);
        try (Admission.Places refused = node.reserve(8)) {
            assertThat(refused).isNotNull();
        }
        try (Admission.Places places = node.reserve(8)) {
            places.stored();
        }
        assertThatThrownBy(() -> node.admit(TestCe.caller("Alice"), 9))
                .as("refused for itself, which affects no other caller")
                .hasFieldOrPropertyWithValue("code", FaultCode.INVALID_ARGUMENT);
        node.admit(TestCe.caller("Bob"), 3);
        Admission.Places beingStored = node.reserve(3);
        String line = "Threshold for Number of active jobs: 10 => Detected value for Number of active jobs: 11";
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> node.admit(TestCe.caller("Bob"), 1))
                    .isInstanceOfSatisfying(
                            ServiceException.class,
                            e -> assertThat(e.faultCause()).isEqualTo(line));
        }
        node.sample();
        node.admit(TestCe.caller("Bob"), 1);
        beingStored.close();
        node.reserve(1).close();
    }

    @Test
    void aCeThatIsClosedByALimitSaysSoOnceInItsLogWhateverOtherNodesWrote() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(AdmissionController.class);
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
        try {
            DB.database().inTransaction(h -> h.execute("UPDATE admission_state SET state = 1, changed_by = 'other'"));
            AdmissionController node = node("host1", SHIPPED);
            for (String averages : List.of("1 0 0", "50 0 0", "51 0 0", "70 41 30", "1 0 0", "2 0 0")) {
                load(averages);
                node.sample();
            }
        } finally {
            logger.setLevel(null);
            logger.detachAppender(log);
        }
        assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage))
                .satisfiesExactly(
                        closed -> assertThat(closed)
                                .startsWith("no new jobs are registered: Threshold for Load Average(1 min): 40 => ")
                                .contains("50; ce service-info"),
                        more -> assertThat(more).contains("Load Average(1 min)", "Load Average(15 min)"),
                        open -> assertThat(open).isEqualTo("new jobs are accepted again"));
    }

    @Test
    void longAveragesCountWhileTheLoadRises() {
        load("30 41 21");
        assertThat(sampled(SHIPPED).message()).startsWith("Threshold for Load Average(15 min): 20 ");
        load("10 41 21");
        assertThat(sampled(SHIPPED).accepting()).as("falling").isTrue();
        load("50 45 10");
        HostLimits no1 = new HostLimits(-1, 40, 20, 95, 95, 500, -1, 30);
        assertThat(sampled(no1).message())
                .isEqualTo("Threshold for Load Average(5 min): 40 => Detected value for Load Average(5 min): 45");
    }

    @Test
    void everyLimitIsCompared() {
        write("meminfo", "MemTotal: 1000 kB\nMemAvailable: 40 kB\nSwapTotal: 1000 kB\nSwapFree: 10 kB\n");
        write("sys/fs/file-nr", "900\t0\t1000\n");
        write("net/tcp", "  sl  local_address rem_address\n   0: 0100007F:0AFB 00000000:0000 0A\n");
        assertThat(sampled(new HostLimits(40, 40, 20, 95, 95, 500, 0, 0))
                        .message()
                        .lines())
                .hasSize(5)
                .contains(
                        "Threshold for Memory Usage: 95 => Detected value for Memory Usage: 96.00%",
                        "Threshold for Swap Usage: 95 => Detected value for Swap Usage: 99.00%",
                        "Threshold for Free FD: 500 => Detected value for Free FD: 100",
                        "Threshold for FTP Connection: 0 => Detected value for FTP Connection: 1")
                .last()
                .asString()
                .startsWith("Threshold for Disk Usage(home): 0 => Detected value for Disk Usage(home): ");
        assertThat(sampled(HostLimits.NONE).accepting()).as("all off").isTrue();
    }

    @Test
    void whatCannotBeReadPassesNoLimit() throws IOException {
        Files.delete(proc.resolve("loadavg"));
        Files.delete(proc.resolve("meminfo"));
        write("sys/fs/file-nr", "many\n");
        Admission.State state = sampled(SHIPPED);
        assertThat(state.accepting()).isTrue();
        assertThat(state.thresholds().lines().filter(l -> l.endsWith(": N/A"))).hasSize(6);
    }

    @Test
    void anAdministratorsDecisionTakesPrecedence() {
        AdmissionController node = node("host1", SHIPPED);
        load("50 0 0");
        node.sample();
        node.open(TestCe.admin(), false);
        assertThat(node.state().message()).isEqualTo("Submissions are disabled!");
        load("1 0 0");
        node.sample();
        assertThat(node.state().accepting()).isFalse();
        assertThat(stored()).isEqualTo("2 ");
        load("50 0 0");
        node.sample();
        node.open(TestCe.admin(), true);
        assertThat(node.state().message()).as("the limits decide again").startsWith("Threshold for Load Average(1");
        assertThat(stored()).startsWith("1 Threshold");
    }

    @Test
    void aNodeSpeaksForItselfOnly() {
        AdmissionController busy = node("host1", SHIPPED);
        AdmissionController idle = node("host2", HostLimits.NONE);
        load("50 0 0");
        busy.sample();
        idle.sample();
        assertThat(idle.state().accepting()).isTrue();
        assertThat(stored()).startsWith("1 ");
        load("1 0 0");
        idle.sample();
        assertThat(stored()).as("host1 may be busy still").startsWith("1 ");
        AdmissionController restarted = node("host1", SHIPPED);
        restarted.sample();
        assertThat(restarted.state().accepting()).isTrue();
        assertThat(stored()).isEqualTo("0 ");
    }
}
