package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two CEs on one database, sandbox and batch system, and clients that start one job after another; one CE is killed when half of the jobs
 * are started. 48 jobs of 12 clients, 200 of 40 with {@code -Dgelato.soak.minutes}.
 */
@Tag("long")
class TwoCesIT {
    private static final boolean SOAK = Long.getLong("gelato.soak.minutes", 0) > 0;
    private static final int CLIENTS = SOAK ? 40 : 12;
    private static final int CALLS = SOAK ? 5 : 4;
    private static final int USERS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final ConcurrentLinkedQueue<String> started = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> startedAtTheFirst = new ConcurrentLinkedQueue<>();

    @Test
    void theOtherCeFinishesAllJobs() throws Exception {
        try (KillableSlurm slurm = new KillableSlurm();
                KillableDatabase database = new KillableDatabase();
                SiteCe first = ce("two-first", slurm, database, Map.of());
                SiteCe second = ce("two-second", slurm, database, sharedWith(first))) {
            Path witness = KillSite.witness(first);
            KillSite.start(first);
            KillSite.start(second);
            run(slurm, database, first, second, witness);
        }
    }

    private void run(KillableSlurm slurm, KillableDatabase database, SiteCe first, SiteCe second, Path witness)
            throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int c = 0; c < CLIENTS; c++) {
                Path proxy = first.base().resolve("proxy-" + c + ".pem");
                first.pki().proxy(first.pki().user("Client " + c % USERS)).write(proxy);
                String name = "d" + c;
                boolean begins = c % 2 == 0;
                all.add(clients.submit(() -> submit(name, proxy, begins ? first : second, second, witness)));
            }
            Awaitility.await("half of the jobs are started, and both nodes took part")
                    .atMost(Duration.ofMinutes(6))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> {
                        for (Future<?> f : all) {
                            if (f.isDone()) {
                                f.get(); // a failed client reports why
                            }
                        }
                        return started.size() >= CLIENTS * CALLS / 2
                                && nodes(database).size() == 2;
                    });
            first.kill();
            for (Future<?> f : all) {
                f.get(5, TimeUnit.MINUTES);
            }
        } finally {
            clients.shutdownNow();
        }
        List<String> ids = List.copyOf(started);
        assertThat(ids).doesNotHaveDuplicates().hasSize(CLIENTS * CALLS);
        assertThat(startedAtTheFirst).isNotEmpty();
        awaitEnd(second, first);
        Map<String, Long> runs = KillSite.runs(witness);
        List<String> lost = ids.stream().filter(id -> !runs.containsKey(id)).toList();
        Map<String, Long> doubled = runs.entrySet().stream()
                .filter(e -> e.getValue() > 1 || !ids.contains(e.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        long fenced =
                slurm.submissions().values().stream().mapToLong(n -> n - 1).sum();
        Reckoning.note(
                "TwoCes",
                "kills=1 jobs=" + ids.size() + " lost=" + lost.size() + " doubled=" + doubled.size() + " fenced="
                        + fenced);
        assertThat(lost).isEmpty();
        assertThat(doubled).isEmpty();
        // A job may have ended while the command that started it is still the dead CE's: its claim has to run out
        // first.
        Awaitility.await("no command is left").atMost(PATIENCE).untilAsserted(() -> {
            assertThat(
                            database.column(
                                    "SELECT CONCAT_WS(' ', 'command', c.id, 'kind', c.kind, 'state', c.state, 'node',"
                                            + " c.node_id, 'try', c.tries, c.claim_expires_at, c.run_after, c.description, 'job', j.id,"
                                            + " 'state', j.state, 'attempt', j.attempt, j.hand_over, j.lrms_id)"
                                            + " FROM command c JOIN job j ON j.id = c.job_id WHERE c.state IN (0, 1, 2) OR j.hand_over = 1"))
                    .isEmpty();
        });
    }

    /** One call per job; from the call on without a response, the client talks to the other CE. */
    private void submit(String delegation, Path proxy, SiteCe begin, SiteCe other, Path witness) {
        PatientClient client = new PatientClient(proxy, begin.pki().certificates(), begin.port(), Duration.ZERO);
        SiteCe at = begin;
        boolean delegated = false;
        List<String> open = List.of();
        for (int done = 0; done < CALLS; ) {
            try {
                if (!delegated) {
                    client.delegate(delegation);
                    delegated = true;
                }
                if (open.isEmpty()) {
                    open = client.register(1, KillSite.job(witness, 1), delegation);
                }
                client.start(open);
                started.addAll(open);
                if (at != other) {
                    startedAtTheFirst.addAll(open);
                }
                open = List.of();
                done++;
            } catch (PatientClient.Unanswered e) {
                at = other;
                client = new PatientClient(proxy, other.pki().certificates(), other.port(), PATIENCE);
            }
        }
    }

    private void awaitEnd(SiteCe second, SiteCe first) {
        for (int user = 0; user < USERS; user++) {
            PatientClient client = new PatientClient(
                    first.base().resolve("proxy-" + user + ".pem"), second.pki().certificates(), second.port());
            List<String> own = client.list().stream().filter(started::contains).toList();
            Awaitility.await("all jobs of client " + user + " are done")
                    .atMost(Duration.ofMinutes(4))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(client.states(own).values())
                            .extracting(StatusReport::name)
                            .containsOnly("DONE-OK"));
        }
    }

    private static List<String> nodes(KillableDatabase database) {
        return database.column("SELECT DISTINCT node_id FROM command WHERE kind = 1 AND node_id IS NOT NULL");
    }

    private static SiteCe ce(String name, KillableSlurm slurm, KillableDatabase database, Map<String, Object> shared) {
        Map<String, Object> settings = new HashMap<>(database.settings());
        settings.put("gelato.lrms.slurm.conf", slurm.conf().toString());
        settings.putAll(shared);
        settings.put("gelato.node", name);
        return new SiteCe(name, "slurm", SlurmTestSite.ACCOUNT, settings);
    }

    /** What two front ends share according to docs/admin/scale.md. */
    private static Map<String, Object> sharedWith(SiteCe first) {
        return Map.of(
                "gelato.sandbox-root", first.base().resolve("sandbox").toString(),
                "gelato.delegation.key-file",
                        first.base().resolve("state/delegation.key").toString(),
                "gelato.authorization.gridmap", first.gridmap().toString(),
                "gelato.tls.ca-directory", first.pki().certificates().toString(),
                "gelato.tls.voms-directory", first.pki().vomsdir().toString());
    }
}
