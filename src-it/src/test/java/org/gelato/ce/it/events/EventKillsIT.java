package org.gelato.ce.it.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteDatabase;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The CE is killed again and again while clients follow its events and jobs of several users begin, run, end and are cancelled: ten
 * followers, 40 jobs and a kill; 20, 200 and two with {@code -Dgelato.test.long=true}; 200, 5 000 and 25 with
 * {@code -Dgelato.soak.minutes}. Each follower has the history that the
 * database has of its user, event by event.
 */
@Tag("long")
class EventKillsIT {
    private static final boolean LONG = Boolean.getBoolean("gelato.test.long");
    private static final boolean SOAK = Long.getLong("gelato.soak.minutes", 0) > 0;
    private static final Duration PATIENCE = Duration.ofMinutes(SOAK ? 40 : 4);
    private static final int FOLLOWERS = SOAK ? 200 : LONG ? 20 : 10;
    private static final int KILLS = SOAK ? 25 : LONG ? 2 : 1;
    private static final List<String> USERS = List.of("Ida", "Jon", "Kay", "Lou");
    private static final String ADMIN = "Admin";
    /** Jobs of each user between two kills. */
    private static final int JOBS = SOAK ? 50 : LONG ? 25 : 10;
    /** Of these, the ones that run to their end; the others are cancelled where they are by then. */
    private static final int RUN = SOAK ? 12 : 4;
    /** All connections are read by so few threads. */
    private static final int THREADS = 2;

    private static final Duration PAUSE = Duration.ofMillis(300);

    private static final String UNFINISHED = "SELECT COUNT(*) FROM job WHERE ended_at IS NULL";
    private static final String HISTORY = "SELECT h.id FROM job_state_history h JOIN owner o ON o.id = h.owner_id"
            + " JOIN subject s ON s.id = o.subject_id WHERE s.dn = :dn OR :dn IS NULL ORDER BY h.id";

    private static SiteDatabase database;
    private static SiteCe ce;
    private static Path description;
    private static ExecutorService threads;

    /** A client that follows, and whose jobs it sees; null for everybody's. */
    private record Watch(AsyncFollower follower, String dn) {}

    @BeforeAll
    static void start() throws Exception {
        database = SiteDatabase.start();
        Map<String, Object> settings = new HashMap<>(database.settings());
        settings.put("gelato.lrms.fork.slots", 8);
        settings.put("gelato.events.max-followers", FOLLOWERS);
        settings.put("gelato.events.max-followers-per-user", FOLLOWERS);
        ce = new SiteCe("event-kills", "fork", JobAccount.name(), settings);
        Files.writeString(ce.base().resolve("admins"), "\"" + DnForms.slash(subject(ADMIN)) + "\"\n");
        description = Files.writeString(ce.base().resolve("job.jdl"), SiteUser.shellJob("exit 0"));
        threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "followers");
            thread.setDaemon(true);
            return thread;
        });
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
        if (database != null) {
            database.close();
        }
        if (threads != null) {
            threads.shutdownNow();
        }
    }

    private static String subject(String name) {
        return ce.pki().user(name).subject();
    }

    /** One connection each of a client that has all connections of a user. */
    private static List<Watch> follow() {
        List<String> names = new ArrayList<>(USERS);
        names.add(ADMIN);
        Executor later = CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS, threads);
        List<Watch> watches = new ArrayList<>();
        for (String name : names) {
            boolean all = name.equals(ADMIN);
            HttpClient http = HttpClient.newBuilder()
                    .sslContext(ce.tls(ce.pki().proxy(ce.pki().user(name)).make()))
                    .version(HttpClient.Version.HTTP_1_1)
                    .executor(threads)
                    .build();
            URI uri = URI.create("https://localhost:" + ce.port() + "/events?from=0" + (all ? "&scope=all" : ""));
            for (int i = 0; i < FOLLOWERS / names.size(); i++) {
                watches.add(
                        new Watch(new AsyncFollower(http, uri, later), all ? null : DnForms.rfc2253(subject(name))));
            }
        }
        return watches;
    }

    private static List<Long> history(Database pool, String dn) {
        return pool.read(
                h -> h.createQuery(HISTORY).bind("dn", dn).mapTo(Long.class).list());
    }

    /** Submits jobs and has most of them cancelled, wherever they are. */
    private static void submit(SiteUser user) {
        List<String> submission = new ArrayList<>(List.of("submit"));
        submission.addAll(Collections.nCopies(JOBS, description.toString()));
        List<String> jobs =
                user.must("", submission.toArray(new String[0])).out().lines().toList();
        List<String> cancel = new ArrayList<>(List.of("cancel"));
        cancel.addAll(jobs.subList(RUN, jobs.size()));
        // One that has ended by now is refused.
        user.run("", cancel.toArray(new String[0]));
    }

    @Test
    void everyFollowerHasTheDatabasesHistoryWhateverIsKilled() throws IOException {
        List<SiteUser> users = USERS.stream().map(ce::user).toList();
        List<Watch> watches = follow();
        assertThat(watches).hasSize(FOLLOWERS);
        try (Database pool = database.pool()) {
            await().atMost(PATIENCE)
                    .until(() -> watches.stream().allMatch(w -> w.follower().isConnected()));
            for (int kill = 1; kill <= KILLS; kill++) {
                Watch one = watches.get(watches.size() - 1);
                int before = one.follower().size();
                // However slow this machine is, one job is under way at the kill.
                Path gate = Files.createFile(ce.base().resolve("gate"));
                users.get(0).submit(SiteUser.shellJob("while [ -e " + gate + " ]; do sleep 0.2; done"));
                users.forEach(EventKillsIT::submit);
                await().atMost(PATIENCE).until(() -> one.follower().size() > before);
                ce.kill();
                assertThat(database.number(UNFINISHED)).as("jobs under way").isPositive();
                ce.start();
                Files.delete(gate);
                int times = kill;
                await("kill " + kill + ": all followers have come back")
                        .atMost(PATIENCE)
                        .until(() -> watches.stream().allMatch(w -> w.follower().resumed() >= times));
            }
            await("all jobs have ended").atMost(PATIENCE).until(() -> database.number(UNFINISHED) == 0);
            assertThat(database.number("SELECT COUNT(*) FROM job")).isEqualTo((long) KILLS * (USERS.size() * JOBS + 1));

            int events = 0;
            Map<String, List<Long>> histories = new HashMap<>();
            for (Watch watch : watches) {
                List<Long> history = histories.computeIfAbsent(watch.dn(), dn -> history(pool, dn));
                await("the events of " + watch.dn())
                        .atMost(PATIENCE)
                        .until(() -> watch.follower().size() >= history.size());
                assertThat(watch.follower().ids())
                        .as("events of %s", watch.dn())
                        .isEqualTo(history);
                events += history.size();
            }
            assertThat(histories)
                    .hasSize(USERS.size() + 1)
                    .allSatisfy(
                            (dn, history) -> assertThat(history).as("of %s", dn).hasSizeGreaterThan(3 * JOBS * KILLS));
            System.out.println("EventKills: followers=" + FOLLOWERS + " jobs=" + KILLS * USERS.size() * JOBS + " kills="
                    + KILLS + " events=" + events);
        } finally {
            watches.forEach(w -> w.follower().close());
        }
    }
}
