package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.site.Balancer;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three front ends of one service on one database, sandbox and batch system, at three loopback addresses behind a balancer, while 9
 * clients submit and read, or 20 with {@code -Dgelato.soak.minutes}: one is drained and stopped, one is killed, both are added again. Only
 * clients of the killed one may see a call fail.
 */
@Tag("long")
class FrontEndsIT {
    private static final boolean SOAK = Long.getLong("gelato.soak.minutes", 0) > 0;
    private static final int CLIENTS = SOAK ? 20 : 9;
    private static final int USERS = 4;
    /** Jobs that are started in each phase. */
    private static final int EACH = SOAK ? 20 : 9;

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final Reckoning books = new Reckoning();
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final List<SiteCe> frontEnds = new ArrayList<>();

    @Test
    void nothingIsLostAndOnlyCallersOfTheKilledOneNotice() throws Exception {
        try (KillableSlurm slurm = new KillableSlurm();
                KillableDatabase database = new KillableDatabase()) {
            try {
                SiteCe first = frontEnd(1, slurm, database, Map.of());
                for (int i = 2; i <= 3; i++) {
                    frontEnd(i, slurm, database, sharedWith(first));
                }
                try (Balancer service = new Balancer(first.port())) {
                    run(service, first, database);
                }
            } finally {
                frontEnds.forEach(SiteCe::close);
            }
        }
    }

    private void run(Balancer service, SiteCe first, KillableDatabase database) throws Exception {
        Path witness = KillSite.witness(first);
        start(service, 1);
        start(service, 2);
        start(service, 3);
        ExecutorService pool = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> clients = new ArrayList<>();
            for (int c = 0; c < CLIENTS; c++) {
                int number = c;
                Path proxy = first.base().resolve("proxy-" + c + ".pem");
                first.pki().proxy(first.pki().user("Client " + c % USERS)).write(proxy);
                clients.add(pool.submit(() -> work(first, proxy, "d" + number, witness)));
            }
            await(clients, EACH);

            assertThat(failed)
                    .as("calls that failed before the first was stopped")
                    .hasValue(0);
            service.drain(address(3));
            int kept = service.open(address(3));
            frontEnds.get(2).stop();
            await(clients, EACH);
            int met = failed.get();
            // HTTP lets a server close a kept connection just as a client sends on it; the client repeats the call.
            assertThat(met)
                    .as("calls that met the closing of a kept connection")
                    .isLessThanOrEqualTo(kept);
            start(service, 3);
            await(clients, EACH);
            assertThat(failed).as("calls that failed before the kill").hasValue(met);

            int connected = service.open(address(2));
            frontEnds.get(1).kill();
            await(clients, EACH);
            int noticed = failed.get();
            assertThat(noticed - met)
                    .as("calls of the killed one's clients")
                    .isLessThanOrEqualTo(Math.max(connected, CLIENTS));
            service.drain(address(2));
            start(service, 2);
            await(clients, EACH);
            assertThat(failed).as("calls that failed after the kill").hasValue(noticed);
            closing.set(true);
            for (Future<?> f : clients) {
                f.get(5, TimeUnit.MINUTES);
            }
        } finally {
            closing.set(true);
            pool.shutdownNow();
        }
        books.close("FrontEnds", 1, witness);
        assertThat(Files.readAllLines(witness))
                .as("job ids as jobs see them")
                .allMatch(id -> id.startsWith("https://localhost:" + first.port() + "/CREAM"));
        assertThat(database.column("SELECT DISTINCT node_id FROM command WHERE kind = 1 AND node_id IS NOT NULL"))
                .as("front ends that handed jobs over")
                .hasSizeGreaterThan(2);
    }

    private void await(List<Future<?>> clients, int more) {
        int until = started.get() + more;
        Awaitility.await("jobs are started")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    for (Future<?> f : clients) {
                        if (f.isDone()) {
                            f.get(); // a failed client reports why
                        }
                    }
                    return started.get() >= until;
                });
    }

    private void work(SiteCe first, Path proxy, String delegation, Path witness) {
        PatientClient impatient = new PatientClient(proxy, first.pki().certificates(), first.port(), Duration.ZERO);
        PatientClient patient = new PatientClient(proxy, first.pki().certificates(), first.port(), PATIENCE);
        patient.delegate(delegation);
        while (!closing.get()) {
            List<String> ids = call(
                    () -> impatient.register(1, KillSite.job(witness, 0), delegation),
                    () -> patient.register(1, KillSite.job(witness, 0), delegation));
            call(
                    () -> {
                        impatient.start(ids);
                        return null;
                    },
                    () -> {
                        patient.start(ids);
                        return null;
                    });
            books.expect(patient, ids, Reckoning.RUNS);
            started.addAndGet(ids.size());
            call(() -> impatient.states(ids), () -> patient.states(ids));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(700));
        }
    }

    private <T> T call(Supplier<T> once, Supplier<T> patiently) {
        try {
            return once.get();
        } catch (PatientClient.Unanswered e) {
            failed.incrementAndGet();
            System.out.println("FrontEnds: a call failed: " + e.getCause().getMessage());
            return patiently.get();
        }
    }

    private static String address(int number) {
        return "127.0.0." + (number + 1);
    }

    private void start(Balancer service, int number) {
        SiteCe ce = frontEnds.get(number - 1);
        ce.launch(ce.program(), Map.of());
        Awaitility.await("front end " + number + " is ready")
                .atMost(PATIENCE)
                .until(() -> isReady(frontEnds.get(0), address(number)));
        service.add(address(number));
    }

    private static boolean isReady(SiteCe service, String address) {
        // Its certificate is the service's, not that of the address.
        try (Socket plain = service.tls(null).getSocketFactory().createSocket(address, service.port())) {
            plain.setSoTimeout(10_000);
            plain.getOutputStream()
                    .write("GET /health/ready HTTP/1.0\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(plain.getInputStream().readNBytes(16), StandardCharsets.US_ASCII).contains(" 200");
        } catch (IOException e) {
            return false;
        }
    }

    private SiteCe frontEnd(int number, KillableSlurm slurm, KillableDatabase database, Map<String, Object> shared) {
        Map<String, Object> settings = new HashMap<>(database.settings());
        settings.put("gelato.lrms.slurm.conf", slurm.conf().toString());
        settings.put("gelato.node", "fe" + number);
        settings.put("gelato.address", address(number));
        settings.putAll(shared);
        SiteCe ce = new SiteCe("fe" + number, "slurm", SlurmTestSite.ACCOUNT, settings);
        frontEnds.add(ce);
        return ce;
    }

    /** What front ends of one service share according to docs/admin/scale.md. */
    private static Map<String, Object> sharedWith(SiteCe first) {
        return Map.of(
                "gelato.port", first.port(),
                "gelato.sandbox-root", first.base().resolve("sandbox").toString(),
                "gelato.delegation.key-file",
                        first.base().resolve("state/delegation.key").toString(),
                "gelato.authorization.gridmap", first.gridmap().toString(),
                "gelato.tls.host-certificate", first.pki().hostCertificate().toString(),
                "gelato.tls.host-key", first.pki().hostKey().toString(),
                "gelato.tls.ca-directory", first.pki().certificates().toString(),
                "gelato.tls.voms-directory", first.pki().vomsdir().toString());
    }
}
