package org.gelato.ce.core.accounting;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.accounting.AccountingSettings.Form;
import org.gelato.ce.core.accounting.AccountingSettings.Publishing;
import org.gelato.ce.core.accounting.AccountingSettings.Records;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.OwnerStore;

/** Usage records of jobs that never were, and settings to publish them. */
public final class UsageRows {
    private UsageRows() {}

    /** Of a site with at most four records in a message; usage is kept for 400 days. */
    static AccountingSettings settings(Path queue, Publishing way, Records records) {
        return settings(queue, way, records, 4, Duration.ofDays(400));
    }

    /** Of a site with so many records in a message at most, that keeps usage for so long. */
    public static AccountingSettings settings(Path queue, Publishing way, Records records, int most, Duration kept) {
        return new AccountingSettings(
                way,
                records,
                Form.ONE_BENCHMARK,
                "EXAMPLE-T2",
                "slurm.example.org",
                "ce.example.org:8443",
                "",
                false,
                new Benchmarks(List.of(
                        new Benchmarks.Value("long", Benchmarks.Kind.HEPSCORE23, new BigDecimal("12.5"), null))),
                null,
                Duration.ofDays(1),
                most,
                queue,
                Duration.ofDays(1),
                kept);
    }

    /** Records of ended jobs, measured by the batch system; numbers ascend. */
    static void ended(Database database, int count, String queueName, String fqan, Instant end) {
        OwnerStore owners = new OwnerStore(database);
        int owner = owners.owner(new GridIdentity(
                "CN=Ada,DC=org", fqan.isEmpty() ? List.of() : List.of(fqan), null, false, end, List.of()));
        int account = owners.account("dteam001");
        int queueId = owners.queue("slurm", queueName);
        database.inTransaction(h -> {
            int first = h.select("SELECT COALESCE(MAX(job_number), 0) + 1 FROM usage_record")
                    .mapTo(Integer.class)
                    .one();
            for (int i = first; i < first + count; i++) {
                h.execute(
                        "INSERT INTO usage_record (job_number, owner_id, account_id, queue_id, lrms_id, state, registered_at,"
                                + " running_at, ended_at, cpu_seconds, wall_seconds, cores, usage_sources)"
                                + " VALUES (?, ?, ?, ?, ?, 7, ?, ?, ?, 10, 20, 1, 3)",
                        i,
                        owner,
                        account,
                        queueId,
                        "" + i,
                        time(end.minusSeconds(100)),
                        time(end.minusSeconds(20)),
                        time(end.plusSeconds(i)));
            }
            return null;
        });
    }

    private static String time(Instant time) {
        return time.toString().replace("T", " ").replace("Z", "");
    }
}
