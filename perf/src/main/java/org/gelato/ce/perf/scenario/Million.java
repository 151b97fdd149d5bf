package org.gelato.ce.perf.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.Sampler;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.pilots.Pilots;
import org.gelato.ce.perf.pilots.SurvivingFrontend;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.CountStore;
import org.gelato.ce.perf.site.FrontEnds;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.stub.StubSettings;
import org.gelato.ce.testkit.pki.GridPki;

/** The rate of a million jobs a day at a service of three front ends and three database servers, one of each killed. */
final class Million implements Scenario {
    private static final double RATE = 12;
    private static final int HOUR = (int) (RATE * 3600);
    private static final int QUEUED = 30_000;
    private static final double A_DAY = 86_400;
    private static final double MILLION = 1_000_000;

    private static final int USERS = 20;
    private static final int SECONDS_OF_A_JOB = 4;
    /** What Slurm needs between two jobs in a slot, with room for a busy machine. */
    private static final double SECONDS_BETWEEN = 2;

    private static final int IN_A_CALL = 100;
    private static final Duration POLL = Duration.ofSeconds(30);
    private static final Duration OUTAGE = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "million";
    }

    @Override
    public String what() {
        return Math.round(RATE) + " jobs a second by " + USERS + " users for an hour, N in all, with " + QUEUED
                + " queued before (for other N by as much fewer), of " + SECONDS_OF_A_JOB
                + " s each, at three front ends behind a"
                + " balancer on a Galera cluster of three servers, with Slurm below. Each user requests all states each "
                + POLL.toSeconds()
                + " s and purges what ended. A front end and the database's writer are killed and come back.";
    }

    @Override
    public String holds() {
        return "none lost, failed or run twice; as many end as are a million a day; latencies, CPU and calls that had to be"
                + " repeated are reported.";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.of(BatchKind.SLURM);
    }

    @Override
    public int usualJobs() {
        return HOUR;
    }

    @Override
    public int fewestJobs() {
        return 10 * USERS;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        int queued = (int) ((long) QUEUED * plan.jobs() / HOUR);
        int slots = (int) Math.ceil(RATE * (SECONDS_OF_A_JOB + SECONDS_BETWEEN));
        SitePlan site =
                new SitePlan(plan.batch(), slots, new StubSettings(slots, Duration.ZERO, Duration.ZERO), Map.of());
        try (FrontEnds service = FrontEnds.start(site);
                CountStore counts = service.counts();
                Sampler sampler = new Sampler(service);
                Crew crew = new Crew()) {
            AtomicInteger repeated = new AtomicInteger();
            Pilots jobs = new Pilots(Integer.MAX_VALUE, RATE, protocol::latencies);
            List<SurvivingFrontend> users = clients(service, repeated);
            List<SurvivingFrontend> pollers = clients(service, repeated);
            users.forEach(SurvivingFrontend::delegate);

            protocol.mark("queue of " + queued, sampler.seconds());
            crew.each(users, user -> fill(user, jobs, queued / USERS, protocol));

            work(service, sampler, crew, jobs, users, pollers, plan.jobs(), protocol);

            Lives.await("all commands", counts::openCommands);
            protocol.count("calls_repeated", repeated.get());
            endings(service, counts, jobs, protocol);
            protocol.samples(sampler.samples());
        }
    }

    private static List<SurvivingFrontend> clients(FrontEnds service, AtomicInteger repeated) {
        GridPki pki = service.pki();
        String jdl = "[ BatchSystem = \"" + service.batchSystem() + "\"; QueueName = \"" + PerfSite.QUEUE
                + "\"; Executable = \"/bin/bash\"; Arguments = \"-c 'echo $CREAM_JOBID >> " + service.witness()
                + "; sleep "
                + SECONDS_OF_A_JOB + "'\"; ]";
        return IntStream.range(0, USERS)
                .mapToObj(user -> {
                    Path proxy = service.base().resolve("proxy-" + user + ".pem");
                    if (Files.notExists(proxy)) {
                        pki.proxy(pki.user("Submitter " + user)).write(proxy);
                    }
                    return new SurvivingFrontend(service, proxy, "million-" + user, jdl, repeated);
                })
                .toList();
    }

    private static void fill(SurvivingFrontend user, Pilots jobs, int number, RunRecord protocol) {
        for (int left = number; left > 0; left -= IN_A_CALL) {
            user.send(Math.min(left, IN_A_CALL), name -> protocol.latencies(name + " of " + IN_A_CALL), jobs::add);
        }
    }

    private static void work(
            FrontEnds service,
            Sampler sampler,
            Crew crew,
            Pilots jobs,
            List<SurvivingFrontend> users,
            List<SurvivingFrontend> pollers,
            int number,
            RunRecord protocol) {
        Duration hour = Duration.ofSeconds(Math.round(number / RATE));
        Duration outage = OUTAGE.compareTo(hour.dividedBy(6)) < 0 ? OUTAGE : hour.dividedBy(6);
        SiteSample begin = sampler.now();
        int before = jobs.registered();
        protocol.mark("begin", sampler.seconds());
        List<Crew.Running> background = new ArrayList<>();
        pollers.forEach(poller -> background.add(crew.repeat(POLL.toMillis(), () -> jobs.poll(poller))));
        jobs.open();
        List<Crew.Running> senders = users.stream()
                .map(user -> crew.repeat(0, () -> jobs.send(user)))
                .toList();
        List<Crew.Running> all = new ArrayList<>(background);
        all.addAll(senders);

        rest(hour.dividedBy(3), all);
        protocol.mark("front end killed", sampler.seconds());
        service.kill(service.size() - 1);
        rest(outage, all);
        service.drain(service.size() - 1);
        service.start(service.size() - 1);
        rest(hour.dividedBy(3).minus(outage), all);
        protocol.mark("database server killed", sampler.seconds());
        int server = service.killWriter();
        rest(outage, all);
        service.startServer(server);
        long left = hour.toNanos() - Math.round((sampler.seconds() - begin.seconds()) * 1e9);
        rest(Duration.ofNanos(Math.max(0, left)), all);

        SiteSample end = sampler.now();
        int accepted = jobs.registered() - before;
        // what was purged is gone from the store
        long ended = end.ended() + jobs.done() + jobs.unwell() - begin.ended();
        double seconds = end.seconds() - begin.seconds();
        jobs.close();
        senders.forEach(Crew.Running::stop);
        protocol.mark("drain", sampler.seconds());
        Lives.await("the end of all jobs", () -> {
            background.forEach(Crew.Running::check);
            return jobs.out().size();
        });
        background.forEach(Crew.Running::stop);

        protocol.count("queued_before", before);
        protocol.count("accepted_per_second", accepted / seconds);
        protocol.count("ended_per_second", ended / seconds);
        protocol.count(
                "queued_median",
                Rates.median(sampler.samples().stream()
                        .filter(s -> s.seconds() >= begin.seconds() && s.seconds() <= end.seconds())
                        .map(SiteSample::queued)
                        .toList()));
        Stage.cost(protocol, "hour.", begin, end, null, (double) ended);
        protocol.check(Check.atLeast("accepted_a_day", accepted / seconds * A_DAY, MILLION));
        protocol.check(Check.atLeast("ended_a_day", ended / seconds * A_DAY, MILLION));
    }

    private static void rest(Duration time, List<Crew.Running> all) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            all.forEach(Crew.Running::check);
            Crew.rest(Math.max(
                    1, Math.min(end - System.nanoTime(), Duration.ofMillis(100).toNanos())));
        }
    }

    private static void endings(FrontEnds service, CountStore counts, Pilots jobs, RunRecord protocol) {
        Map<String, Long> runs;
        try (var lines = Files.lines(service.witness())) {
            runs = lines.collect(
                    Collectors.groupingBy(line -> line.substring(line.lastIndexOf('/') + 1), Collectors.counting()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long neverRan =
                jobs.known().stream().filter(id -> !runs.containsKey(id)).count();
        long unknown =
                runs.keySet().stream().filter(id -> !jobs.known().contains(id)).count();
        long twice = runs.values().stream().filter(times -> times > 1).count();
        protocol.failures(counts.failureReasons());
        protocol.count("jobs", jobs.registered());
        protocol.count("registered_without_a_response", counts.byState().getOrDefault(JobState.REGISTERED, 0L));
        protocol.check(Check.none("jobs_lost", neverRan + jobs.registered() - jobs.done() - jobs.unwell()));
        protocol.check(Check.none("jobs_run_twice", twice));
        protocol.check(Check.none("jobs_run_that_nobody_started", unknown));
        protocol.check(Check.none("jobs_failed_or_cancelled", jobs.unwell()));
        protocol.check(Check.none("ids_given_twice", jobs.repeatedIds()));
    }
}
