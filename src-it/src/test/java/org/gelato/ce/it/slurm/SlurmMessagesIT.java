package org.gelato.ce.it.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteDatabase;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages and output of jobs of a real Slurm, by way of the spool and its journal, and over HTTPS. */
@Tag("long")
class SlurmMessagesIT {
    private static final int JOBS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** One message at the beginning, many in a burst, and some in the very last moment. */
    private static final String SCRIPT = """
            #!/bin/bash
            echo begun
            gelato-message --key step --level W "message 1"
            until [ -e %s ]; do sleep 0.2; done
            for i in {2..500}; do echo "message $i"; done | gelato-message -
            seq 1000 | sed 's/^/line /'
            echo problem >&2
            for i in {501..520}; do gelato-message "message $i"; done
            """;

    private static SlurmControl slurm;
    private static SiteDatabase database;

    private record Row(int kind, long number, int level, String name, byte[] content) {}

    @BeforeAll
    static void start() {
        slurm = SlurmControl.start();
        database = SiteDatabase.start();
    }

    @AfterAll
    static void stop() {
        if (database != null) {
            database.close();
        }
        if (slurm != null) {
            slurm.close();
        }
    }

    @ParameterizedTest(name = "shared sandboxes: {0}")
    @ValueSource(booleans = {true, false})
    void allMessagesArriveOnceAndInOrder(boolean shared) throws Exception {
        Map<String, Object> settings = new HashMap<>(database.settings());
        settings.put("gelato.lrms.slurm.conf", slurm.conf().toString());
        settings.put("gelato.sandbox.shared", shared);
        try (SiteCe ce = new SiteCe("slurm-messages", "slurm", "dteam001", settings).start();
                Database pool = database.pool()) {
            SiteUser user = ce.user("Mia");
            Path gate = ce.base().resolve("gate");
            Files.writeString(ce.base().resolve("talk.sh"), SCRIPT.formatted(gate));
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < JOBS; i++) {
                ids.add(
                        user.submit(
                                "[ Executable = \"talk.sh\"; InputSandbox = \"talk.sh\"; StdOutput = \"env.out\";"
                                        + " StdError = \"env.err\"; LiveOutput = true; MonitorFilters = \"hundreds=/^line [0-9]00$/\"; ]"));
            }
            for (String id : ids) {
                await("a message and output of the running job")
                        .atMost(PATIENCE)
                        .until(() ->
                                rows(pool, id).stream().map(Row::kind).toList().containsAll(List.of(0, 1)));
                assertThat(user.state(id)).isEqualTo("REALLY-RUNNING");
            }
            Files.createFile(gate);
            user.await(ids, "DONE-OK");
            for (String id : ids) {
                await("all is stored").atMost(PATIENCE).until(() -> closed(pool, id));
                List<Row> rows = rows(pool, id);
                List<Row> messages =
                        rows.stream().filter(row -> row.kind() == 0).toList();
                assertThat(messages.stream().map(Row::number))
                        .isEqualTo(IntStream.rangeClosed(1, messages.size())
                                .mapToObj(Long::valueOf)
                                .toList());
                assertThat(messages.stream()
                                .filter(row -> !"hundreds".equals(row.name()))
                                .map(SlurmMessagesIT::text))
                        .isEqualTo(IntStream.rangeClosed(1, 520)
                                .mapToObj(i -> "message " + i)
                                .toList());
                assertThat(messages.get(0).name()).isEqualTo("step");
                assertThat(messages.get(0).level()).isEqualTo(2);
                assertThat(messages.stream()
                                .filter(row -> "hundreds".equals(row.name()))
                                .map(SlurmMessagesIT::text))
                        .containsExactly(
                                "line 100",
                                "line 200",
                                "line 300",
                                "line 400",
                                "line 500",
                                "line 600",
                                "line 700",
                                "line 800",
                                "line 900");
                Path target = ce.base().resolve("out-" + shared + id.substring(id.lastIndexOf('/') + 1));
                user.must("", "output", "-d", target.toString(), id);
                assertThat(stream(rows, 1)).isEqualTo(Files.readAllBytes(target.resolve("env.out")));
                assertThat(stream(rows, 2)).isEqualTo("problem\n".getBytes(StandardCharsets.UTF_8));
                assertThat(rows).noneMatch(row -> row.kind() == 3);
            }
        }
    }

    private static String text(Row row) {
        return new String(row.content(), StandardCharsets.UTF_8);
    }

    private static byte[] stream(List<Row> rows, int kind) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        rows.stream().filter(row -> row.kind() == kind).forEach(row -> {
            assertThat(row.number()).isEqualTo(all.size());
            all.writeBytes(row.content());
        });
        return all.toByteArray();
    }

    private static int job(Database pool, String id) {
        return JobNumbers.of(pool)
                .row(JobId.parse(id.substring(id.lastIndexOf('/') + 1)).orElseThrow());
    }

    private static List<Row> rows(Database pool, String id) {
        int job = job(pool, id);
        return pool.read(h -> h.createQuery(
                        "SELECT kind, number, level, name, content FROM message WHERE job_id = :job ORDER BY id")
                .bind("job", job)
                .map((r, c) -> new Row(
                        r.getInt("kind"),
                        r.getLong("number"),
                        r.getInt("level"),
                        r.getString("name"),
                        r.getBytes("content")))
                .list());
    }

    private static boolean closed(Database pool, String id) {
        int job = job(pool, id);
        return pool.read(h -> h.createQuery("SELECT closed FROM job_messages WHERE job_id = :job")
                .bind("job", job)
                .mapTo(Boolean.class)
                .one());
    }
}
