package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.gelato.ce.core.process.LiveProcess;
import org.gelato.ce.core.process.Orphan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LeftoverServersTest {
    /** Stands in for a server: its name is mariadbd, and it says when it can be asked to end. */
    private static final String SERVER =
            "exec -a mariadbd bash -c 'trap \"exit 0\" TERM; touch \"$1\"; while :; do sleep 0.05; done' server \"$1\" \"$0\"";

    @TempDir
    private Path directory;

    /** Where process 1 does not wait for orphans a start waited five minutes for a server that had ended. */
    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aServerThatEndedAndThatNobodyWaitsForIsNotWaitedFor() throws Exception {
        Path ready = directory.resolve("ready");
        try (Orphan server = Orphan.start("bash", "-c", SERVER, "--datadir=" + directory, ready.toString())) {
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(ready));
            LeftoverServers.stop(Duration.ofDays(1), directory);
            assertThat(LiveProcess.isAlive(server.handle())).isFalse();
            assertThat(server.handle().isAlive()).as("a zombie").isTrue();
        }
    }
}
