package org.gelato.ce.core.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.gelato.ce.core.accounting.AccountingSettings.Publishing;
import org.gelato.ce.core.accounting.AccountingSettings.Records;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.testkit.accounting.ApelReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A month of a site with 20 VOs and 300 000 jobs, as it is published; only with {@code -Dgelato.soak.minutes}. */
@EnabledIfSystemProperty(named = "gelato.soak.minutes", matches = "[1-9].*")
class SimulatedMonthTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Path PUBLISHED = Path.of("..", "docs", "developer", "accounting-month.txt");
    private static final Instant NOW = Instant.parse("2026-04-02T12:00:00Z");
    private static final int VOS = 20;
    private static final int JOBS = 300_000;
    private static final int SLICE = 10_000;

    @TempDir
    private Path queue;

    private AccountingSettings settings(Records records) {
        return UsageRows.settings(queue, Publishing.SSM, records, 1000, Duration.ofDays(800));
    }

    private static void fill(Database database) {
        OwnerStore owners = new OwnerStore(database);
        List<Integer> people = new ArrayList<>();
        for (int vo = 0; vo < VOS; vo++) {
            for (String role : List.of("", "/Role=production")) {
                people.add(owners.owner(new GridIdentity(
                        "CN=Person " + vo + ",DC=example,DC=org",
                        List.of(String.format("/vo%02d.example.org%s", vo, role)),
                        null,
                        false,
                        NOW,
                        List.of())));
            }
        }
        int account = owners.account("pool001");
        int queueId = owners.queue("slurm", "long");
        for (int from = 0; from < JOBS; from += SLICE) {
            StringBuilder sql =
                    new StringBuilder("INSERT INTO usage_record (job_number, owner_id, account_id, queue_id,"
                            + " lrms_id, state, registered_at, running_at, ended_at, cpu_seconds, wall_seconds, cores,"
                            + " usage_sources) VALUES ");
            for (int i = from; i < from + SLICE; i++) {
                long end = (long) i * 7919 % (31 * 86_400);
                long wall = 600 + (long) i * 104_729 % 80_000;
                int cores = i % 5 == 0 ? 8 : 1;
                sql.append(String.format(
                        "%s(%d, %d, %d, %d, '%d', 7, '2026-02-20', '2026-03-01' + INTERVAL %d SECOND,"
                                + " '2026-03-01' + INTERVAL %d SECOND, %d, %d, %d, 3)",
                        i == from ? "" : ", ",
                        i,
                        people.get(i % people.size()),
                        account,
                        queueId,
                        i,
                        end - wall,
                        end,
                        wall * cores * 9 / 10,
                        wall,
                        cores));
            }
            database.inTransaction(h -> h.execute(sql.toString()));
        }
    }

    private List<String> messages() throws IOException {
        try (Stream<Path> files = Files.walk(queue)) {
            List<String> texts = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                texts.add(Files.readString(file));
                Files.delete(file);
            }
            Collections.sort(texts);
            return texts;
        }
    }

    @Test
    void aMonthOf300000JobsIsPublished() throws IOException {
        Database database = DB.database();
        fill(database);
        // It goes on: messages have their names from it.
        Clock clock = Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), NOW));
        long begin = System.nanoTime();
        new UsagePublisher(database, settings(Records.SUMMARIES), clock).publish(true);
        System.out.println("SimulatedMonth: summaries in " + seconds(begin) + " s");
        List<String> texts = messages();
        long jobs = 0;
        for (String text : texts) {
            ApelReader.Message message = ApelReader.read(text.getBytes(StandardCharsets.UTF_8), NOW);
            if (message.kind() == ApelReader.Kind.SUMMARIES) {
                jobs += message.records().stream()
                        .mapToLong(r -> Long.parseLong(r.get("NumberOfJobs")))
                        .sum();
            }
        }
        assertThat(jobs).isEqualTo(JOBS);
        String month = String.join("\n", texts);
        Files.writeString(Path.of("target", PUBLISHED.getFileName().toString()), month);
        assertThat(PUBLISHED).hasContent(month);

        UsagePublisher records = new UsagePublisher(database, settings(Records.JOBS), clock);
        records.republish(Instant.EPOCH, NOW);
        begin = System.nanoTime();
        records.publish(false);
        System.out.println("SimulatedMonth: records in " + seconds(begin) + " s");
        jobs = 0;
        for (String text : messages()) {
            jobs += ApelReader.read(text.getBytes(StandardCharsets.UTF_8), NOW)
                    .records()
                    .size();
        }
        assertThat(jobs).isEqualTo(JOBS);
    }

    private static long seconds(long begin) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    }
}
