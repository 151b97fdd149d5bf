package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.events.EventReader;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.database.DatabaseCluster;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.site.ScratchDirectory;

/** A CE whose database is a cluster, and clients that submit jobs one after another while the cluster's writer is killed. */
final class FailoverSite implements AutoCloseable {
    /** Kills of a run of the suite, in its short form and in full, and of a soak. */
    private static final int FEW = Boolean.getBoolean("gelato.test.long") ? 2 : 1;

    private static final int MANY = 50;
    private static final int CLIENTS = 3;
    private static final int JOBS_BETWEEN = 6;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path folder;
    private final DatabaseCluster cluster;
    private final SiteCe ce;
    private final Path witness;
    private final EventReader follower;
    private final Reckoning books = new Reckoning();
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();

    /** Starts the cluster by the function, and a CE on all of its servers. */
    FailoverSite(String name, Function<Path, DatabaseCluster> start) {
        try {
            folder = ScratchDirectory.make("gelato-" + name + "-");
            cluster = start.apply(folder);
            Path password = Files.writeString(folder.resolve("password"), DatabaseCluster.PASSWORD + "\n");
            Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
            int[] all = IntStream.range(0, cluster.size()).toArray();
            ce = new SiteCe(
                    name,
                    "fork",
                    JobAccount.name(),
                    Map.of(
                            "gelato.database.url", cluster.url(all),
                            "gelato.database.user", DatabaseCluster.NAME,
                            "gelato.database.password-file", password.toString()));
            witness = KillSite.witness(ce);
            GridCredential admin = ce.pki().user("Admin");
            Files.writeString(ce.base().resolve("admins"), "\"" + DnForms.slash(admin.subject()) + "\"\n");
            ce.start();
            follower = new EventReader(
                    ce,
                    HttpClient.newBuilder()
                            .sslContext(ce.tls(ce.pki().proxy(admin).make()))
                            .version(HttpClient.Version.HTTP_1_1)
                            .build(),
                    "?from=0&scope=all");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    DatabaseCluster cluster() {
        return cluster;
    }

    SiteCe ce() {
        return ce;
    }

    /** Kills of this run. */
    static int kills() {
        return Long.getLong("gelato.soak.minutes", 0) > 0 ? MANY : FEW;
    }

    /** Kills under load, then closes the books: nothing lost, nothing doubled, events in order and whole. */
    void run(String name, IntConsumer kill) throws Exception {
        int kills = kills();
        ExecutorService pool = Executors.newFixedThreadPool(CLIENTS);
        long process = ce.process().pid();
        try {
            List<Future<?>> streams = new ArrayList<>();
            for (int c = 0; c < CLIENTS; c++) {
                PatientClient client = client("Client " + c);
                streams.add(pool.submit(() -> stream(client)));
            }
            for (int i = 0; i < kills; i++) {
                int before = started.get();
                awaitJobs(streams, before + JOBS_BETWEEN);
                System.out.println(name + ": kill " + (i + 1));
                kill.accept(i);
            }
            awaitJobs(streams, started.get() + JOBS_BETWEEN);
            closing.set(true);
            for (Future<?> s : streams) {
                s.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            closing.set(true);
            pool.shutdownNow();
        }
        books.close(name, kills, witness);
        Awaitility.await("the follower has every event once, in order")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(follower.ids()).isEqualTo(stored()));
        assertThat(ce.process().pid())
                .as("the CE that was there from the beginning")
                .isEqualTo(process);
        assertThat(ce.process().isAlive()).isTrue();
    }

    /** The ids of all events, as the server that is asked last has them. */
    private List<Long> stored() {
        return cluster.sql(
                        cluster.size() - 1, "SELECT id FROM " + DatabaseCluster.NAME + ".job_state_history ORDER BY id")
                .lines()
                .map(Long::valueOf)
                .toList();
    }

    private void awaitJobs(List<Future<?>> streams, int count) {
        Awaitility.await("jobs are started")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    for (Future<?> s : streams) {
                        if (s.isDone()) {
                            s.get(); // a failed client reports why
                        }
                    }
                    return started.get() >= count;
                });
    }

    private void stream(PatientClient client) {
        client.delegate("d");
        while (!closing.get()) {
            List<String> ids = client.submit(1, job(), "d");
            books.expect(client, ids, Reckoning.RUNS);
            started.addAndGet(ids.size());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    private String job() {
        return "[ BatchSystem = \"fork\"; QueueName = \"long\"; Executable = \"/bin/bash\"; Arguments = \"-c 'echo $CREAM_JOBID >> "
                + witness + "'\"; StdOutput = \"o\"; StdError = \"e\"; ]";
    }

    private PatientClient client(String user) {
        Path proxy = ce.base().resolve("proxy-" + user.replace(' ', '-') + ".pem");
        ce.pki().proxy(ce.pki().user(user)).write(proxy);
        return new PatientClient(proxy, ce.pki().certificates(), ce.port());
    }

    /** The server through which the CE writes, by its port, as another one has it. */
    String writer(int asked) {
        return cluster.sql(asked, "SELECT server FROM " + DatabaseCluster.NAME + ".database_writer");
    }

    @Override
    public void close() {
        follower.close();
        try {
            ce.close();
        } finally {
            cluster.close();
            ScratchDirectory.remove(folder);
        }
        Remains.awaitNoProcessOf(ce.base(), folder);
    }
}
