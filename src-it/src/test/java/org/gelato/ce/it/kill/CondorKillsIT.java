package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.step.Step.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.it.htcondor.CondorSlots;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Kills around HTCondor: at the steps of hand-over and cancel, each victim once, at all of them with {@code -Dgelato.test.long=true}; and
 * at random moments, three times, ten with that, 200 with {@code -Dgelato.soak.minutes}. {@code -Dgelato.kill.seed=N} repeats the choice.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CondorKillsIT {
    private static final boolean LONG = Boolean.getBoolean("gelato.test.long");
    private static final int RANDOM = Long.getLong("gelato.soak.minutes", 0) > 0 ? 200 : LONG ? 10 : 3;
    private static final int JOBS = 3;
    private static final int SLOTS = 24;
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final long LONGEST_PAUSE_MS = 2500;

    private static final Reckoning BOOKS = new Reckoning();
    private static final ExecutorService CALLS = Executors.newCachedThreadPool();
    private static final Set<Victim> STRUCK = EnumSet.noneOf(Victim.class);

    private static CondorSlots pool;
    private static SiteCe ce;
    private static Stops stops;
    private static Path witness;
    private static PatientClient alice;
    private static int kills;

    /** What is killed, by kill -9 or for a while by SIGSTOP. */
    private enum Victim {
        CE,
        HELPER,
        SCHEDD,
        SCHEDD_STOPPED;

        void strike() {
            switch (this) {
                case CE -> {
                    ce.kill();
                    stops.release();
                    startCe();
                }
                case HELPER -> {
                    killHelper();
                    stops.release();
                }
                case SCHEDD -> {
                    // it must have died when the CE goes on
                    pool.killSchedd();
                    stops.release();
                }
                case SCHEDD_STOPPED -> {
                    pool.stopSchedd();
                    stops.release();
                    LockSupport.parkNanos(PAUSE.toNanos());
                    pool.continueSchedd();
                }
            }
            kills++;
            STRUCK.add(this);
        }
    }

    @BeforeAll
    static void start() throws IOException {
        CondorSlots.missing().ifPresent(reason -> Skipped.because("HTCondor", reason));
        pool = CondorSlots.start(Files.createTempDirectory(Path.of("/var/tmp"), "gelato-condor-"), SLOTS);
        ce = new SiteCe(
                "condor-kills",
                "condor",
                CondorSlots.ACCOUNT,
                Map.of("gelato.lrms.condor.config", pool.config().toString()));
        stops = new Stops(ce.base());
        witness = KillSite.witness(ce);
        startCe();
        alice = client("Alice");
        alice.delegate("d");
    }

    @AfterAll
    static void stop() {
        CALLS.shutdownNow();
        if (stops != null) {
            stops.release();
        }
        if (ce != null) {
            ce.close();
        }
        if (pool != null) {
            pool.close();
        }
    }

    private static void startCe() {
        KillSite.start(ce, stops.option());
    }

    private static PatientClient client(String user) {
        Path proxy = ce.base().resolve("proxy-" + user + ".pem");
        ce.pki().proxy(ce.pki().user(user)).write(proxy);
        return new PatientClient(proxy, ce.pki().certificates(), ce.port());
    }

    private static void killHelper() {
        ProcessHandle helper = Awaitility.await("the CE's one helper")
                .until(
                        () -> ce.process()
                                .children()
                                .filter(child ->
                                        child.info().command().orElse("").contains("gelato-helper"))
                                .toList(),
                        helpers -> helpers.size() == 1)
                .get(0);
        helper.destroyForcibly();
        helper.onExit().join();
    }

    private static String job(int seconds) {
        return KillSite.job("condor", witness, seconds);
    }

    private static List<String> submit(PatientClient client, int count, int seconds, String end) {
        List<String> ids = client.submit(count, job(seconds), "d");
        BOOKS.expect(client, ids, end);
        return ids;
    }

    private static void kill(Step at, Victim victim, Runnable action) {
        stops.arm(at);
        Future<?> client = CALLS.submit(action);
        try {
            stops.await(at, () -> ce.threads(), client);
            victim.strike();
            client.get(5, TimeUnit.MINUTES);
            System.out.println("CondorKills: " + victim + " at " + at + " survived");
        } catch (Exception e) {
            throw new IllegalStateException(victim + " at " + at + " was not survived", e);
        }
    }

    @Test
    @Order(1)
    void atTheStepsOfTheHandOver() {
        Map<Victim, List<Step>> steps = LONG
                ? EnumSet.allOf(Victim.class).stream()
                        .collect(Collectors.toMap(
                                Function.identity(),
                                victim -> List.of(
                                        HAND_OVER_CLAIMED,
                                        HAND_OVER_SENT,
                                        HAND_OVER_ANSWERED,
                                        OUTCOME_WRITTEN,
                                        OUTCOME_STORED)))
                : Map.of(
                        Victim.CE,
                        List.of(HAND_OVER_SENT, HAND_OVER_ANSWERED),
                        Victim.HELPER,
                        List.of(HAND_OVER_SENT),
                        Victim.SCHEDD,
                        List.of(HAND_OVER_SENT),
                        Victim.SCHEDD_STOPPED,
                        List.of(HAND_OVER_CLAIMED));
        steps.forEach((victim, all) ->
                all.forEach(step -> kill(step, victim, () -> submit(alice, JOBS, 0, Reckoning.RUNS))));
    }

    @Test
    @Order(2)
    void atTheStepsOfCancelling() {
        Map<Victim, List<Step>> steps = LONG
                ? EnumSet.allOf(Victim.class).stream()
                        .collect(Collectors.toMap(
                                Function.identity(),
                                victim -> List.of(CONTROL_CLAIMED, CONTROL_SENT, CONTROL_ANSWERED)))
                : Map.of(Victim.CE, List.of(CONTROL_SENT), Victim.SCHEDD, List.of(CONTROL_CLAIMED));
        steps.forEach((victim, all) -> all.forEach(step -> {
            List<String> ids = submit(alice, 2, 900, "REALLY-RUNNING");
            assertThat(BOOKS.awaitEnds()).isEmpty();
            kill(step, victim, () -> alice.cancel(ids));
            BOOKS.expect(alice, ids, Reckoning.CANCELLED);
        }));
    }

    /** HTCondor ends them, starts some once more, and the wrapper's fence ends those. */
    @Test
    @Order(3)
    void programsWhoseShadowsAreKilledNeverRunAgain() {
        PatientClient other = client("Bob");
        other.delegate("d");
        List<String> ids = submit(other, JOBS, 900, "REALLY-RUNNING");
        assertThat(BOOKS.awaitEnds()).isEmpty();
        pool.killShadows();
        kills++;
        BOOKS.expect(other, ids, "DONE-FAILED");
        // it starts after them, so that they could have, too
        submit(other, 1, 0, Reckoning.RUNS);
        assertThat(BOOKS.awaitEnds()).isEmpty();
        assertThat(KillSite.runs(witness))
                .containsAllEntriesOf(ids.stream()
                        .collect(Collectors.toMap(id -> id.substring(id.lastIndexOf('/') + 1), id -> 1L)));
    }

    /** Killed before it has written the end, and nothing is started again: the CE sees jobs wait that have ended. */
    @Test
    @Tag("long")
    @Order(4)
    void whatEndedUnderAShadowThatDiedEndedWell() throws IOException {
        Path go = ce.base().resolve("go");
        List<String> ids = alice.submit(
                JOBS, KillSite.job("condor", witness, "until [ -e " + go + " ]; do sleep 0.2; done; ", 0), "d");
        BOOKS.expect(alice, ids, "REALLY-RUNNING");
        assertThat(BOOKS.awaitEnds()).isEmpty();
        pool.command("condor_off", "-fast", "-negotiator");
        pool.stopSchedd();
        try {
            Files.createFile(go);
            BOOKS.expect(alice, ids, Reckoning.RUNS);
            assertThat(BOOKS.awaitEnds()).as("their wrappers' word").isEmpty();
            pool.endShadows();
        } finally {
            pool.continueSchedd();
        }
        kills++;
        try {
            Awaitility.await("what has ended does not wait in the queue any more")
                    .atMost(Duration.ofMinutes(4))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> pool.command("condor_q", "-all", "-constraint", "JobStatus < 3", "-af", "GelatoTag")
                            .isBlank());
            assertThat(BOOKS.awaitEnds()).isEmpty();
        } finally {
            pool.command("condor_on", "-negotiator");
        }
    }

    @Test
    @Order(5)
    void atRandomMoments() throws Exception {
        long seed = Long.getLong("gelato.kill.seed", System.nanoTime());
        System.out.println("CondorKills: -Dgelato.kill.seed=" + seed);
        Random random = new Random(seed);
        AtomicBoolean closing = new AtomicBoolean();
        Deque<Future<?>> streams = new ArrayDeque<>();
        for (int c = 0; c < 2; c++) {
            PatientClient client = client("Stream " + c);
            Random own = new Random(seed + c);
            streams.add(CALLS.submit(() -> stream(client, own, closing)));
        }
        List<Victim> victims = List.of(Victim.values());
        try {
            for (int i = 0; i < RANDOM; i++) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextLong(LONGEST_PAUSE_MS)));
                Victim victim = victims.get(random.nextInt(victims.size()));
                System.out.println("CondorKills: kill " + (i + 1) + " " + victim);
                victim.strike();
            }
        } finally {
            closing.set(true);
        }
        for (Future<?> stream : streams) {
            stream.get(10, TimeUnit.MINUTES);
        }
    }

    /** Submits again and again, and cancels some of what it submitted. */
    private static void stream(PatientClient client, Random random, AtomicBoolean closing) {
        client.delegate("d");
        List<String> doomed = new ArrayList<>();
        while (!closing.get()) {
            submit(client, 1 + random.nextInt(JOBS), random.nextInt(3), Reckoning.RUNS);
            if (random.nextInt(3) == 0) {
                doomed.addAll(submit(client, 1, 900, Reckoning.CANCELLED));
            }
            doomed.removeAll(RandomKillsIT.cancel(client, doomed));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
        while (!doomed.isEmpty()) {
            doomed.removeAll(RandomKillsIT.cancel(client, doomed));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    @Test
    @Order(6)
    void nothingIsLostDoubledOrLeftBehind() {
        ce.stop();
        startCe();
        assertThat(STRUCK).isNotEmpty();
        Map<String, Long> handedOver = pool.command("condor_q", "-all", "-af", "GelatoTag")
                .lines()
                .filter(tag -> tag.startsWith("cream_"))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        pool.command("condor_history", "-af", "GelatoTag")
                .lines()
                .filter(tag -> tag.startsWith("cream_"))
                .forEach(tag -> handedOver.merge(tag, 1L, Long::sum));
        BOOKS.close("CondorKills", kills, witness);
        assertThat(handedOver).isNotEmpty();
        assertThat(handedOver.values()).as("handed over").allMatch(times -> times == 1);
    }
}
