package org.gelato.ce.cli.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobUrl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmissionLogTest {
    private static final Endpoint CE = new Endpoint("ce", 8443);

    @TempDir
    Path cache;

    private SubmissionLog log;

    @BeforeEach
    void log() {
        Clock noon = Clock.fixed(Instant.parse("2026-11-20T12:00:00Z"), ZoneOffset.UTC);
        log = new SubmissionLog(Map.of("HOME", "/nonexistent", "XDG_CACHE_HOME", cache.toString()), noon);
    }

    private Path file() {
        return cache.resolve("gelato/jobs");
    }

    private Path former() {
        return cache.resolve("gelato/jobs.former");
    }

    /** More than a file holds. */
    private void fill(String job) {
        log.end(log.begin(CE, 1), Collections.nCopies(SubmissionLog.FULL / 20, new JobUrl(CE, job)));
    }

    @Test
    void whatIsNeededToFindTheJobsOfALostResponseIsKept() {
        String open = log.begin(CE, 3);
        fill("CREAM000000001");
        fill("CREAM000000002");
        fill("CREAM000000003");
        assertThat(log.open())
                .singleElement()
                .extracting(SubmissionLog.Open::jobs)
                .isEqualTo(3);
        assertThat(log.ids()).hasSize(3);
        log.end(open, List.of());
        assertThat(file()).doesNotExist();
        assertThat(former()).exists();
    }

    @Test
    void itDoesNotGrowForEver() throws IOException {
        log.begin(CE, 1);
        try (RandomAccessFile grown = new RandomAccessFile(file().toFile(), "rw")) {
            grown.setLength(SubmissionLog.LARGEST);
        }
        log.begin(CE, 1);
        assertThat(former()).exists();
    }

    @Test
    void oneThatAnotherCommandOfThisProcessMovesIsLeftToIt() throws IOException {
        Files.createDirectories(file().getParent());
        try (FileChannel other = FileChannel.open(file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = other.lock()) {
            fill("CREAM000000001");
            assertThat(lock.isValid()).isTrue();
        }
        assertThat(log.ids()).hasSize(1);
        assertThat(former()).doesNotExist();
    }
}
