package org.gelato.ce.perf.scenario;

import eu.emi.security.authn.x509.helpers.ssl.SSLTrustManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.gelato.ce.cli.credential.TrustedAuthorities;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Counters;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.node.MessageFollower;
import org.gelato.ce.perf.node.MessageProfile;
import org.gelato.ce.perf.node.SendingNodes;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.stub.StubControl;
import org.gelato.ce.perf.stub.StubSettings;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.site.ScratchDirectory;

/** The report of 2004 about messages of running jobs, here in compressed time. */
final class MessagesOfRunningJobs implements Scenario {
    private static final double DAYS = 1;
    private static final MessageProfile REPORTED = new MessageProfile(3600, 1, DAYS);
    private static final MessageProfile SHORTER = new MessageProfile(3600, 10, DAYS);
    private static final MessageProfile SHORTEST = new MessageProfile(36_000, 20, DAYS);
    /** Fewer show that the scenario works, and measure nothing. */
    private static final int FEW = 100;
    /** More start one after another only, as the report's did. */
    private static final int AT_ONCE = 4000;

    /** Before the counts of jobs that start one after another, where as many start at once afterwards. */
    private static final String SPREAD = "one_a_second.";

    private static final double STARTS_COMPRESSION = 50;
    private static final int FOLLOWERS = 5;

    /**
     * Jobs that start and send what they have.
     *
     * @param together whether all start in the same second
     * @param prefix of what is counted
     */
    private record Round(int jobs, boolean together, MessageProfile profile, String prefix) {
        double secondsOfStarts() {
            return together ? 1 : jobs / STARTS_COMPRESSION;
        }
    }

    private static final int BUNCH = 500;
    private static final long PAUSE_NANOS = 200_000_000;
    private static final double BURST_MS = 0.1;
    private static final double P95_MS = 5000;
    private static final String FIRST_SECOND = "job to follower, first second";
    private static final String TO_FOLLOWER = "job to follower";
    /** Of CPU in a second, of the CE's JVM and this one. */
    private static final long REST_MILLIS = 200;

    private static final int MAX_SECONDS_TO_REST = 60;

    /** Nothing comes for so long: what has not come will not. */
    private static final int PATIENCE = 300;

    @Override
    public String name() {
        return "messages";
    }

    @Override
    public String what() {
        return "N jobs of one user send messages as a report of 2004 has it: 20 in the first second, one after 890 s, then one"
                + " every 8800 s for a day, 40 in the last 100 s, ten of these in the last second, 35 characters in the mean. The"
                + " day is compressed " + (int) REPORTED.compression()
                + "-fold, its first second and its last 100 s not at all. Up to "
                + AT_ONCE + " jobs start one a second, compressed " + (int) STARTS_COMPRESSION
                + "-fold, the last 100 s "
                + (int) SHORTER.ending()
                + "-fold; then as many start in the same second. More start one a second alone, compressed "
                + (int) STARTS_COMPRESSION
                + "-fold. Worker nodes are played: they write journals and spool files as a wrapper does. " + FOLLOWERS
                + " clients follow everything and compare each message. Fewer than " + FEW
                + " jobs only show that it works: more is compressed"
                + " then. The size asked for is N = 4000.";
    }

    @Override
    public String holds() {
        return "no message is lost, doubled or wrong at any follower; where all jobs start at once the first 20 N cost at most 0.1 ms"
                + " of CPU each in JVM and helper, and 95 % of all messages reach each follower within 5 s; no job is lost.";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int usualJobs() {
        return AT_ONCE;
    }

    @Override
    public int fewestJobs() {
        return 10;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        protocol.note(
                "CPU is that of JVM and helper; the database's is beside it. The nodes and the followers run in another process.");
        protocol.note("Where more than " + AT_ONCE + " jobs start one a second, " + AT_ONCE
                + " did so in the same second before, in a round that is not counted.");
        protocol.note(
                "A round begins when CE and clients rest: when their JVMs have compiled what the submission of its jobs made hot.");
        protocol.note("Sandboxes lie in memory, as the worker nodes' files are not the CE's cost.");
        Path sandboxes;
        try {
            sandboxes = ScratchDirectory.inMemory("gelato-perf-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a directory for sandboxes: " + e.getMessage(), e);
        }
        try {
            measure(plan, sandboxes, protocol);
        } finally {
            ScratchDirectory.remove(sandboxes);
        }
    }

    private static void measure(ScenarioPlan plan, Path sandboxes, RunRecord protocol) {
        // The stub does not see that a wrapper that is played has ended.
        int slots = plan.jobs() + AT_ONCE;
        SitePlan site = new SitePlan(
                plan.batch(),
                0,
                new StubSettings(slots, Duration.ZERO, Duration.ofDays(1)),
                Map.of("gelato.messages.bytes-per-owner", "4 GiB", "gelato.sandbox-root", sandboxes.toString()));
        try (Stage stage = Stage.open(site, 1, 1, protocol)) {
            stage.site().control(new StubControl.Behaviour(slots, Duration.ZERO, true));
            if (plan.jobs() <= AT_ONCE) {
                boolean few = plan.jobs() < FEW;
                round(stage, new Round(plan.jobs(), false, few ? SHORTEST : SHORTER, SPREAD), protocol);
                round(stage, new Round(plan.jobs(), true, few ? SHORTEST : REPORTED, ""), protocol);
            } else {
                round(stage, new Round(AT_ONCE, true, SHORTEST, ""), new RunRecord());
                round(stage, new Round(plan.jobs(), false, REPORTED, ""), protocol);
            }
            stage.endings();
            stage.finish();
        }
    }

    /** Jobs are submitted, and when all run they send what they have; their followers are new. */
    private static void round(Stage stage, Round round, RunRecord protocol) {
        int jobs = round.jobs();
        stage.mark(round.prefix() + "submit");
        Client client = stage.clients().get(0);
        for (int sent = 0; sent < jobs; sent += BUNCH) {
            client.submit(Math.min(BUNCH, jobs - sent));
        }
        Lives.await("all jobs to run", () -> jobs - stage.site().store().inState(JobState.REALLY_RUNNING));
        SendingNodes nodes = new SendingNodes(round.profile(), Clock.systemUTC());
        int found = nodes.find(stage.site().sandboxes(), round.secondsOfStarts());
        if (found != jobs) {
            throw new IllegalStateException(found + " sandboxes of " + jobs + " jobs");
        }
        if (jobs >= FEW) {
            awaitRest(stage, protocol);
        }
        List<MessageFollower> followers = follow(stage, round.prefix(), protocol);
        try {
            send(stage, nodes, followers, round, protocol);
        } finally {
            followers.forEach(MessageFollower::close);
        }
    }

    /** The compilers work on what the submission has made hot: it is none of the messages' cost, and takes both processors for seconds. */
    private static void awaitRest(Stage stage, RunRecord protocol) {
        for (int second = 0; second < MAX_SECONDS_TO_REST; second++) {
            long before = cpuOfBoth(stage);
            Crew.rest(TimeUnit.SECONDS.toNanos(1));
            if (cpuOfBoth(stage) - before < REST_MILLIS) {
                return;
            }
        }
        protocol.note(
                "The JVMs were still busy " + MAX_SECONDS_TO_REST + " s after a submission, and the round began.");
    }

    private static long cpuOfBoth(Stage stage) {
        return stage.sampler().now().ce().cpuMillis()
                + ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis();
    }

    private static void send(
            Stage stage, SendingNodes nodes, List<MessageFollower> followers, Round round, RunRecord protocol) {
        String prefix = round.prefix();
        SiteSample before = stage.sampler().now();
        Counters counted = Counters.of(stage.site());
        stage.mark(prefix + "first second");
        CompletableFuture<Void> sending = nodes.begin();
        if (round.together()) {
            long first = (long) MessageProfile.FIRST * round.jobs();
            awaitAll(followers, first, sending);
            SiteSample burst = stage.sampler().now();
            cost(protocol, prefix + "burst.", before, burst, (double) first);
            protocol.check(Check.atMost("burst.cpu_ms_per_message", cpu(before, burst) / (double) first, BURST_MS));
            stage.mark("the day");
        }
        sending.join();
        long all = nodes.written().values().stream().mapToLong(Long::longValue).sum();
        awaitAll(followers, all, CompletableFuture.completedFuture(null));
        Lives.await("the end of all jobs", stage.site().store()::notEnded);
        SiteSample after = stage.sampler().now();
        Counters used = Counters.of(stage.site()).since(counted);
        protocol.count(prefix + "jobs", round.jobs());
        protocol.count(prefix + "simultaneous_starts", round.together() ? round.jobs() : 1);
        protocol.count(prefix + "messages", all);
        protocol.count(prefix + "sql_per_message", used.sql() / (double) all);
        protocol.count(prefix + "commits_per_message", used.commits() / (double) all);
        cost(protocol, prefix, before, after, (double) all);
        long lost = 0;
        long doubled = 0;
        long wrong = 0;
        for (MessageFollower follower : followers) {
            lost += follower.lost(nodes.written());
            doubled += follower.seen().doubled();
            wrong += follower.seen().wrong();
            if (follower.seen().failure() != null) {
                protocol.note("A follower came again; the last reason: "
                        + follower.seen().failure());
            }
        }
        protocol.check(Check.none(prefix + "messages_lost", lost));
        protocol.check(Check.none(prefix + "messages_doubled", doubled));
        protocol.check(Check.none(prefix + "messages_wrong", wrong));
        if (round.together()) {
            protocol.check(Check.atMost(
                    "burst.p95_ms", protocol.latencies(FIRST_SECOND).millis(95), P95_MS));
            protocol.check(
                    Check.atMost("p95_ms", protocol.latencies(TO_FOLLOWER).millis(95), P95_MS));
        }
    }

    private static double cpu(SiteSample from, SiteSample to) {
        return (double) (to.ce().cpuMillis() - from.ce().cpuMillis())
                + (to.helper().cpuMillis() - from.helper().cpuMillis());
    }

    private static void cost(RunRecord protocol, String prefix, SiteSample from, SiteSample to, double messages) {
        protocol.count(prefix + "seconds", to.seconds() - from.seconds());
        protocol.count(prefix + "cpu_ms_per_message", cpu(from, to) / messages);
        protocol.count(
                prefix + "cpu_ms_per_message.jvm",
                (to.ce().cpuMillis() - from.ce().cpuMillis()) / messages);
        protocol.count(
                prefix + "cpu_ms_per_message.helper",
                (to.helper().cpuMillis() - from.helper().cpuMillis()) / messages);
        protocol.count(
                prefix + "cpu_ms_per_message.database",
                (to.database().cpuMillis() - from.database().cpuMillis()) / messages);
    }

    /** Waits for messages at all followers, as long as some come. */
    private static void awaitAll(List<MessageFollower> followers, long messages, CompletableFuture<Void> sending) {
        long seen = -1;
        int still = 0;
        while (still < PATIENCE * (TimeUnit.SECONDS.toNanos(1) / PAUSE_NANOS)) {
            if (sending.isCompletedExceptionally()) {
                sending.join();
            }
            long least =
                    followers.stream().mapToLong(f -> f.seen().received()).min().orElseThrow();
            if (least >= messages) {
                return;
            }
            still = least > seen ? 0 : still + 1;
            seen = least;
            Crew.rest(PAUSE_NANOS);
        }
        // What is missing is counted as lost.
    }

    private static List<MessageFollower> follow(Stage stage, String prefix, RunRecord protocol) {
        PerfSite site = stage.site();
        HttpClient http = HttpClient.newBuilder()
                .sslContext(tls(site))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        URI uri = URI.create("https://" + site.door().host() + ":" + site.door().port() + "/messages");
        List<MessageFollower> followers = new ArrayList<>();
        for (int i = 0; i < FOLLOWERS; i++) {
            followers.add(new MessageFollower(
                    http,
                    uri,
                    Clock.systemUTC(),
                    protocol.latencies(prefix + "job to CE"),
                    protocol.latencies(prefix + FIRST_SECOND),
                    protocol.latencies(prefix + TO_FOLLOWER)));
        }
        Lives.await(
                "the followers to be connected",
                () -> followers.stream().filter(f -> !f.seen().connected()).count());
        return followers;
    }

    /** With the proxy that {@link Client#open} made for its first user. */
    private static SSLContext tls(PerfSite site) {
        try {
            GridCredential proxy = GridCredential.read(site.base().resolve("proxy-0.pem"));
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(
                    new KeyManager[] {proxy.x509().getKeyManager()},
                    new TrustManager[] {
                        new SSLTrustManager(TrustedAuthorities.load(site.pki().certificates()))
                    },
                    null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
