package org.gelato.ce.perf.scenario;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.SitePlan;

/** The study of ARC's CE: jobs one by one and in bunches, with and without a past, questions, and files. */
final class ArcStudy implements Scenario {
    private static final int BUNCH = 100;
    private static final int FEWEST = 20;
    private static final int SINGLES = 5;
    private static final int QUESTIONS = 20;
    private static final int ROUNDS = 3;
    private static final double AS_EMPTY = 1.1;
    private static final String EMPTY = "empty";
    private static final String BESIDE = "beside";

    @Override
    public String name() {
        return "arc-study";
    }

    @Override
    public String what() {
        return "1, N / 10 and N jobs one by one and in bunches of 100, in turn on an empty CE and beside N finished jobs; service"
                + " info, list, status and info of all jobs with 0, N / 10 and N stored; stage-in and stage-out of 30 MB"
                + " (--full: 300 MB) in 1, 10 and 30 files, in turn with curl at a plain file server. The study's size is"
                + " N = 1000.";
    }

    @Override
    public String holds() {
        return "beside N finished jobs a job takes at most 10 % more CPU than on an empty CE (median of 3 rounds each, in turn),"
                + " and 10 % more statements; no job is lost. Times are reported, and those of files beside curl's.";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int usualJobs() {
        return 1000;
    }

    @Override
    public int fewestJobs() {
        return FEWEST;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        int jobs = plan.jobs();
        protocol.note(
                "Simulated jobs end after 1.1 s; a submission's time is that until the last start was answered, its CPU and"
                        + " statements are those until its jobs have ended.");
        try (Stage stage = Stage.open(SitePlan.of(plan.batch()), 1, 1, protocol)) {
            Client client = stage.clients().get(0);
            stage.mark("warm-up");
            round(stage, jobs, new RunRecord(), "");
            questions(stage, protocol, 0);
            List<Spent> empty = new ArrayList<>();
            List<Spent> beside = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                // The order changes from round to round: the JVM still learns.
                boolean emptyFirst = i % 2 == 0;
                if (emptyFirst) {
                    empty.add(marked(stage, jobs, protocol, EMPTY, i));
                }
                List<String> past = fill(stage, client, jobs, i == 0 ? protocol : null);
                beside.add(marked(stage, jobs, protocol, BESIDE, i));
                purge(stage, client, past, 0);
                if (!emptyFirst) {
                    empty.add(marked(stage, jobs, protocol, EMPTY, i));
                }
            }
            judge(protocol, empty, beside);
            stage.mark("files");
            Staging.measure(stage, plan.full(), protocol);
            protocol.count("jobs", jobs);
            stage.endings();
            stage.finish();
        }
    }

    /** Has N jobs end and stay, and queries what is stored on the way. */
    private static List<String> fill(Stage stage, Client client, int jobs, RunRecord questions) {
        List<String> past = new ArrayList<>(bunches(client, jobs / 10));
        stage.awaitEnds();
        if (questions != null) {
            questions(stage, questions, jobs / 10);
        }
        past.addAll(bunches(client, jobs - past.size()));
        stage.awaitEnds();
        if (questions != null) {
            questions(stage, questions, jobs);
        }
        return past;
    }

    private static Spent marked(Stage stage, int jobs, RunRecord protocol, String where, int round) {
        stage.mark(where + " " + (round + 1));
        return round(stage, jobs, protocol, where);
    }

    /** All submissions once. @return for each job */
    private static Spent round(Stage stage, int jobs, RunRecord protocol, String where) {
        Client client = stage.clients().get(0);
        long stored = stage.site().store().jobs();
        Spent all = new Spent(0, 0, 0);
        int sent = 0;
        Map<Integer, Integer> sizes = new LinkedHashMap<>(Map.of(1, SINGLES));
        sizes.put(jobs / 10, 1);
        sizes.put(jobs, 1);
        for (Map.Entry<Integer, Integer> size : sizes.entrySet()) {
            for (boolean bunch : new boolean[] {false, true}) {
                String name = size.getKey() + (bunch ? " in bunches, " : " one by one, ") + where;
                for (int i = 0; i < size.getValue(); i++) {
                    List<String> ids = new ArrayList<>();
                    all = all.plus(Spent.on(stage, () -> {
                        ids.addAll(protocol.latencies(name)
                                .time(() -> bunch ? bunches(client, size.getKey()) : single(client, size.getKey())));
                        stage.awaitEnds();
                    }));
                    sent += size.getKey();
                    purge(stage, client, ids, stored);
                }
            }
        }
        return all.per(sent);
    }

    private static List<String> single(Client client, int jobs) {
        return IntStream.range(0, jobs)
                .mapToObj(i -> client.submit(1))
                .flatMap(List::stream)
                .toList();
    }

    private static List<String> bunches(Client client, int jobs) {
        List<String> ids = new ArrayList<>();
        while (ids.size() < jobs) {
            ids.addAll(client.submit(Math.min(BUNCH, jobs - ids.size())));
        }
        return ids;
    }

    private static void purge(Stage stage, Client client, List<String> ids, long left) {
        long well = stage.site().store().inState(JobState.DONE_OK);
        if (well != left + ids.size()) {
            throw new IllegalStateException(left + ids.size() - well + " jobs did not end as DONE-OK");
        }
        client.purge(ids);
        Lives.await("the purge of the jobs", () -> stage.site().store().jobs() - left);
        // The removal of sandboxes is not part of what comes next.
        Lives.await("the commands of the purge", stage.counts()::openCommands);
    }

    private static void questions(Stage stage, RunRecord protocol, int stored) {
        Client client = stage.clients().get(0);
        Map<String, Runnable> all = new LinkedHashMap<>();
        all.put("service info", () -> client.ce().serviceInfo());
        all.put("list", () -> client.ce().list());
        all.put("status of all", () -> client.ce().status(JobSelector.ALL));
        all.put("info of all", () -> client.ce().info(JobSelector.ALL));
        all.forEach((name, question) -> {
            Spent spent = Spent.on(stage, () -> {
                        for (int i = 0; i < QUESTIONS; i++) {
                            protocol.latencies(name + ", " + stored + " stored").timed(question);
                        }
                    })
                    .per(QUESTIONS);
            protocol.count("cpu_ms_per_" + name.replace(' ', '_') + "." + stored + "_stored", spent.cpuMillis());
        });
    }

    private static void judge(RunRecord protocol, List<Spent> empty, List<Spent> beside) {
        ratio(protocol, "seconds", empty, beside, Spent::seconds);
        double cpu = ratio(protocol, "cpu_ms", empty, beside, Spent::cpuMillis);
        double sql = ratio(protocol, "sql", empty, beside, Spent::sql);
        protocol.check(Check.atMost("cpu_beside_finished_to_empty", cpu, AS_EMPTY));
        protocol.check(Check.atMost("sql_beside_finished_to_empty", sql, AS_EMPTY));
    }

    private static double ratio(
            RunRecord protocol, String what, List<Spent> empty, List<Spent> beside, ToDoubleFunction<Spent> value) {
        double without = Rates.median(empty.stream().map(value::applyAsDouble).toList());
        double with = Rates.median(beside.stream().map(value::applyAsDouble).toList());
        protocol.count(what + "_per_job." + EMPTY, without);
        protocol.count(what + "_per_job." + BESIDE, with);
        return Rates.ratio(with, without);
    }
}
