package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.delegation.KeyVault;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * CE, helper and database are killed in turn while jobs send messages: each writes a journal and leaves batches in the spool, some of which
 * are lost, and the last messages are in the journal alone. Six kills, 24 with {@code -Dgelato.soak.minutes}. Every message is stored
 * once, in its place.
 */
@Tag("long")
class MessageKillsIT {
    private static final boolean SOAK = Long.getLong("gelato.soak.minutes", 0) > 0;
    private static final Duration PATIENCE = Duration.ofMinutes(SOAK ? 20 : 5);
    private static final int JOBS = SOAK ? 40 : 8;
    private static final int ROUNDS = SOAK ? 8 : 2;
    /** Of a batch; less than fit. */
    private static final int MAX_BYTES = 7000;

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration BETWEEN_KILLS = Duration.ofMillis(700);

    /** What writes as a job does. For one thread, but for what ends it. */
    private static final class Writer {
        private final JobId job;
        private final Path sandbox;
        private final Path events;
        private final String token;
        private final Random random;
        private final List<String> lines = new ArrayList<>();
        private int sent;
        private int files;
        private volatile boolean last;

        Writer(JobId job, Path sandbox, String token, long seed) {
            this.job = job;
            this.sandbox = sandbox;
            // <home>/12/34/CREAM123456789
            this.events = sandbox.getParent().getParent().getParent().resolve("events");
            this.token = token;
            this.random = new Random(seed);
        }

        /** Until the end is asked for; then the last messages, of which no batch is sent, and the end itself. */
        Void write() throws IOException {
            Path batch = null;
            while (!last) {
                append(1 + random.nextInt(10));
                if (batch == null || Files.notExists(batch)) {
                    batch = send();
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
            append(20);
            leave(
                    "DONE",
                    "job=" + job + "\nattempt=1\nevent=DONE\ntime=" + System.currentTimeMillis() * 1000
                            + "\nnode=wn\nexit=0\ntoken=" + token + "\nmessages=" + lines.size() + "\n");
            return null;
        }

        private void append(int count) throws IOException {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < count; i++) {
                String line = "1700000000000000 I k " + (lines.size() + 1) + "x".repeat(random.nextInt(40));
                lines.add(line);
                text.append(line).append('\n');
            }
            Path journal = sandbox.resolve("messages");
            Files.writeString(journal, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            readable(journal, "rw-rw-rw-");
        }

        /** The next batch, or none where it is lost. */
        private Path send() throws IOException {
            StringBuilder text = new StringBuilder(
                    "job=" + job + "\nevent=MESSAGES\nfirst=" + (sent + 1) + "\ntoken=" + token + "\n\n");
            while (sent < lines.size() && text.length() < MAX_BYTES) {
                text.append(lines.get(sent++)).append('\n');
            }
            return random.nextInt(10) == 0 ? null : leave("MESSAGES", text.toString());
        }

        private Path leave(String kind, String text) throws IOException {
            String name = files++ + "." + job + "." + kind;
            Path beside = Files.writeString(events.resolve("tmp").resolve(name), text);
            readable(beside, "rw-r--r--");
            return Files.move(beside, events.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        }

        private static void readable(Path file, String mode) throws IOException {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        }
    }

    @Test
    void everyMessageIsStoredOnceWhateverIsKilled() throws Exception {
        try (KillableDatabase database = new KillableDatabase()) {
            Map<String, Object> settings = new HashMap<>(database.settings());
            settings.put("gelato.lrms.fork.slots", JOBS);
            settings.put("gelato.messages.per-job", 1_000_000);
            settings.put("gelato.messages.bytes-per-job", "256 MiB");
            settings.put("gelato.messages.bytes-per-owner", "4 GiB");
            try (SiteCe ce = new SiteCe("message-kills", "fork", JobAccount.name(), settings)) {
                ce.start();
                Path gate = Files.createFile(ce.base().resolve("gate"));
                List<Writer> writers = writers(ce, gate);
                ExecutorService threads = Executors.newFixedThreadPool(JOBS);
                try {
                    List<Future<Void>> writing = new ArrayList<>();
                    writers.forEach(writer -> writing.add(threads.submit(writer::write)));
                    for (int round = 0; round < ROUNDS; round++) {
                        kills(ce, database);
                    }
                    writers.forEach(writer -> writer.last = true);
                    for (Future<Void> writer : writing) {
                        writer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                    }
                } finally {
                    threads.shutdownNow();
                }
                await("all journals are read")
                        .atMost(PATIENCE)
                        .until(() -> database.column("SELECT COUNT(*) FROM job_messages WHERE closed = TRUE")
                                .equals(List.of(Integer.toString(JOBS))));
                check(database, writers);
                Files.delete(gate);
            }
        }
    }

    private static List<Writer> writers(SiteCe ce, Path gate) throws Exception {
        SiteUser user = ce.user("Alice");
        user.must("", "delegate", "d");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            ids.add(user.submit(SiteUser.shellJob("while [ -e " + gate + " ]; do sleep 0.2; done"), "-D", "d"));
        }
        user.await(ids, "REALLY-RUNNING");
        WrapperTokens tokens = new WrapperTokens(
                KeyVault.open(ce.base().resolve("state/delegation.key"), false).derive("wrapper-events"));
        List<Writer> writers = new ArrayList<>();
        for (String id : ids) {
            JobId job = JobId.parse(id.substring(id.lastIndexOf('/') + 1)).orElseThrow();
            writers.add(new Writer(job, sandbox(ce, job), tokens.of(job), job.number()));
        }
        return writers;
    }

    private static Path sandbox(SiteCe ce, JobId job) throws IOException {
        try (Stream<Path> all = Files.walk(ce.base().resolve("sandbox"), 6)) {
            return all.filter(path -> path.getFileName().toString().equals(job.toString()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void kills(SiteCe ce, KillableDatabase database) {
        LockSupport.parkNanos(BETWEEN_KILLS.toNanos());
        ce.kill();
        ce.start();
        LockSupport.parkNanos(BETWEEN_KILLS.toNanos());
        helper(ce).destroyForcibly();
        await("a helper").atMost(PATIENCE).until(ce::isReady);
        LockSupport.parkNanos(BETWEEN_KILLS.toNanos());
        database.kill();
        database.restart();
        await("the database").atMost(PATIENCE).until(ce::isReady);
    }

    private static ProcessHandle helper(SiteCe ce) {
        return await("the CE's helper")
                .atMost(PATIENCE)
                .until(
                        () -> ce.process()
                                .children()
                                .filter(p -> p.info().command().orElse("").contains("gelato-helper"))
                                .toList(),
                        helpers -> helpers.size() == 1)
                .get(0);
    }

    private static void check(KillableDatabase database, List<Writer> writers) {
        JobNumbers numbers = new JobNumbers(Long.parseLong(
                database.column("SELECT number_offset FROM db_info").get(0)));
        int messages = 0;
        for (Writer writer : writers) {
            String ofJob = " FROM message WHERE job_id = " + numbers.row(writer.job) + " AND kind = 0 ORDER BY id";
            assertThat(database.column("SELECT number" + ofJob))
                    .as("numbers of %s", writer.job)
                    .isEqualTo(IntStream.rangeClosed(1, writer.lines.size())
                            .mapToObj(Integer::toString)
                            .toList());
            assertThat(database.column("SELECT CONVERT(content USING utf8mb4)" + ofJob))
                    .as("texts of %s", writer.job)
                    .isEqualTo(writer.lines.stream()
                            .map(line -> line.substring("1700000000000000 I k ".length()))
                            .toList());
            messages += writer.lines.size();
        }
        assertThat(database.column("SELECT COUNT(*) FROM message WHERE kind = 3"))
                .containsExactly("0");
        System.out.println("MessageKills: jobs=" + JOBS + " messages=" + messages + " kills=" + ROUNDS * 3);
    }
}
