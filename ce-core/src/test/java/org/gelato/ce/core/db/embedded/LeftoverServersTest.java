package org.gelato.ce.core.db.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.gelato.ce.core.base.LiveProcess;
import org.gelato.ce.core.base.Orphan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that stand in for servers: a stranger's must neither delay nor stop a start, whatever it shows of itself. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class LeftoverServersTest {
    private static final Duration LONG = Duration.ofDays(1);
    /** Says when it can be asked to end, and may show another name and options than its own. */
    private static final String SERVER =
            "exec -a mariadbd bash -c 'trap \"exit 0\" TERM; touch \"$1\"; while :; do sleep 0.05; done' server \"$1\" \"$0\"";

    @TempDir
    private Path directory;

    private Path record() {
        return directory.resolve("the record");
    }

    private void stop() throws IOException, InterruptedException {
        LeftoverServers.stop(record(), DatabaseAccount.choose(directory.resolve("data")), LONG);
    }

    private List<String> server() {
        return List.of(
                "bash",
                "-c",
                SERVER,
                "--datadir=" + directory.resolve("data"),
                directory.resolve("ready").toString());
    }

    private Orphan start(List<String> command) throws IOException {
        Orphan orphan = Orphan.start(command.toArray(String[]::new));
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(directory.resolve("ready")));
        return orphan;
    }

    /** Where process 1 does not wait for orphans a start waited five minutes for a server that had ended. */
    @Test
    void aRecordedServerIsEndedAndOneThatEndedAndThatNobodyWaitsForIsNotWaitedFor() throws Exception {
        try (Orphan server = start(LeftoverServers.recorded(record(), server()))) {
            stop();
            assertThat(LiveProcess.isAlive(server.handle())).isFalse();
            assertThat(server.handle().isAlive()).as("a zombie").isTrue();
            stop();
        }
    }

    @Test
    void aProcessWithTheNameAndOptionsOfAServerIsLeftAlone() throws Exception {
        try (Orphan lookAlike = start(server())) {
            stop();
            Files.writeString(record(), "half of a record");
            stop();
            assertThat(LiveProcess.isAlive(lookAlike.handle())).isTrue();
        }
    }

    @Test
    void aProcessThatGotTheNumberOfAServerIsLeftAlone() throws Exception {
        try (Orphan other = start(LeftoverServers.recorded(record(), server()))) {
            String written = Files.readString(record());
            String boot = boot();
            assertThat(written).startsWith(boot + " " + other.handle().pid() + " (");

            Files.writeString(record(), written.replace(boot, "00000000" + boot.substring(8)));
            stop();
            int name = written.lastIndexOf(')') + 1;
            Files.writeString(
                    record(),
                    written.substring(0, name) + written.substring(name).replaceFirst("^((?: [^ ]+){19}) ", "$1 1"));
            stop();
            assertThat(LiveProcess.isAlive(other.handle())).isTrue();

            Files.writeString(record(), written);
            stop();
            assertThat(LiveProcess.isAlive(other.handle())).isFalse();
        }
    }

    /** Also when the record names it: the least that has to hold. */
    @Test
    void aProcessOfAnotherAccountIsNeverOurs() throws Exception {
        if (!System.getProperty("user.name").equals("root")) {
            Path first = Path.of("/proc/1");
            assumeThat(Files.getOwner(first)).isNotEqualTo(Files.getOwner(Path.of("/proc/self")));
            record(first);
            stop(); // else it would wait for its end
            return;
        }
        DatabaseAccount own = DatabaseAccount.choose(directory.resolve("data"));
        String stranger = own.name().equals("nobody") ? "daemon" : "nobody";
        try (Orphan other =
                Orphan.start("setpriv", "--reuid=" + stranger, "--regid=65534", "--clear-groups", "sleep", "600")) {
            Path process = Path.of("/proc/" + other.handle().pid());
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> Files.getOwner(process).getName().equals(stranger));
            record(process);
            stop();
            assertThat(LiveProcess.isAlive(other.handle())).isTrue();
        }
    }

    private void record(Path process) throws IOException {
        Files.writeString(record(), boot() + " " + Files.readString(process.resolve("stat")));
    }

    private static String boot() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    }
}
