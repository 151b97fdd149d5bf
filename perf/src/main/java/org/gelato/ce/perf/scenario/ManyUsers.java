package org.gelato.ce.perf.scenario;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Lives;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.perf.measure.SiteSample;
import org.gelato.ce.perf.site.BatchKind;
import org.gelato.ce.perf.site.SitePlan;
import org.gelato.ce.perf.stub.StubSettings;

/** Criterion K: users of many VOs in several roles, none of whom sees another's jobs or pays for another's presence. */
final class ManyUsers implements Scenario {
    private static final int VOS = 50;
    private static final int USERS = 10;
    private static final List<String> ROLES = List.of("pilot", "production");
    private static final int OF_A_VO = USERS * ROLES.size();
    private static final int FEWEST_VOS = 2;
    private static final int JOBS_EACH = 10;
    private static final int THREADS = 4;
    private static final int WARM_UP = 2;
    private static final int MORE_SQL = 1;
    private static final double MORE_CPU = 1.25;

    @Override
    public String name() {
        return "many-users";
    }

    @Override
    public String what() {
        return "N jobs of N / 200 VOs (2 to 50) with 10 users in 2 roles each: register, start, status, list, info, cancel,"
                + " purge; each tries everything on jobs of the same user in the other role, of another user and of another VO."
                + " The criterion's size is N = 10000: 1000 owners.";
    }

    @Override
    public String holds() {
        return "every attempt on others' jobs is refused and changes nothing, each list holds one's own jobs alone; with all"
                + " users' jobs stored, no operation of the first VO's users takes more than " + MORE_SQL
                + " further statement, and all together at most 25 % more CPU, than without them (mean of before and after).";
    }

    @Override
    public Set<BatchKind> batches() {
        return EnumSet.of(BatchKind.STUB);
    }

    @Override
    public int usualJobs() {
        return 10_000;
    }

    @Override
    public int fewestJobs() {
        // Two of each owner: one is never started, one ends.
        return 2 * FEWEST_VOS * OF_A_VO;
    }

    @Override
    public void run(ScenarioPlan plan, RunRecord protocol) {
        int number = ScenarioPlan.part(plan.jobs(), OF_A_VO * JOBS_EACH, FEWEST_VOS, VOS);
        List<String> vos = IntStream.range(0, number)
                .mapToObj(v -> "vo" + v + ".gelato.test")
                .toList();
        protocol.note(
                "Users share a key pair, as do their proxies: making 500 takes longer than the run. Names differ.");
        protocol.note(
                "All are mapped to one local account. The CE closes connections after 2 s without a request, not 60 s:"
                        + " users' programs end, these clients stay.");
        StubSettings stub = SitePlan.of(plan.batch()).stub();
        SitePlan site =
                new SitePlan(plan.batch(), SitePlan.SLOTS, stub, Map.of("gelato.http.keep-alive", "2 s")).serving(vos);
        try (Stage stage = Stage.open(site, 1, 1, protocol)) {
            stage.mark("first users");
            List<Member> all = join(stage, vos.subList(0, 1), protocol);
            List<Member> few = List.copyOf(all);
            for (int i = 0; i < WARM_UP; i++) {
                MemberRound.of(stage, few);
            }
            Map<String, Spent> alone = MemberRound.of(stage, few);
            stage.mark("all users");
            all.addAll(join(stage, vos.subList(1, number), protocol));
            work(stage, all, plan.jobs(), protocol);
            stage.mark("attempts");
            isolation(stage, all, protocol);
            stage.mark("first users beside all");
            Map<String, Spent> among = MemberRound.of(stage, few);
            stage.mark("purge");
            purge(stage, all, protocol);
            stage.mark("first users again");
            Map<String, Spent> again = MemberRound.of(stage, few);
            judge(protocol, alone, among, again);
            protocol.count("jobs", plan.jobs());
            protocol.count("vos", number);
            protocol.count("owners", all.size());
            protocol.check(Check.none("payloads_run_twice", stage.counts().ranTwice()));
            Lives.await("all commands", stage.counts()::openCommands);
            stage.finish();
        }
    }

    private static List<Member> join(Stage stage, List<String> vos, RunRecord protocol) {
        List<List<Member>> joined = new ArrayList<>();
        vos.forEach(vo -> joined.add(new ArrayList<>()));
        share(stage, IntStream.range(0, vos.size()).boxed().toList(), v -> {
            for (int i = 0; i < OF_A_VO; i++) {
                int n = i;
                joined.get(v)
                        .add(protocol.latencies("join")
                                .time(() -> Member.join(
                                        stage.site(), vos.get(v), n / ROLES.size(), ROLES.get(n % ROLES.size()))));
            }
        });
        // In order: a neighbour is the same user in the other role.
        return new ArrayList<>(joined.stream().flatMap(List::stream).toList());
    }

    /** Some threads share them. */
    private static <T> void share(Stage stage, List<T> them, Consumer<T> work) {
        stage.crew().each(IntStream.range(0, THREADS).boxed().toList(), t -> {
            for (int i = t; i < them.size(); i += THREADS) {
                work.accept(them.get(i));
            }
        });
    }

    private static void work(Stage stage, List<Member> all, int jobs, RunRecord protocol) {
        share(
                stage,
                IntStream.range(0, all.size()).boxed().toList(),
                i -> all.get(i).work(jobs / all.size() + (i < jobs % all.size() ? 1 : 0), protocol));
        Lives.await("the end of all started jobs", () -> stage.site().store().notEnded() - all.size());
        SiteSample end = stage.sampler().now();
        protocol.failures(stage.counts().failureReasons());
        protocol.check(Check.none("jobs_lost_or_failed", jobs - all.size() - end.in(JobState.DONE_OK)));
    }

    private static void isolation(Stage stage, List<Member> all, RunRecord protocol) {
        AtomicLong tried = new AtomicLong();
        AtomicLong missing = new AtomicLong();
        AtomicLong wrong = new AtomicLong();
        Map<JobState, Long> before = stage.counts().byState();
        share(stage, IntStream.range(0, all.size()).boxed().toList(), i -> {
            Member member = all.get(i);
            List<Member> others = List.of(
                    all.get(i ^ 1), all.get((i + ROLES.size()) % all.size()), all.get((i + OF_A_VO) % all.size()));
            missing.addAndGet(
                    protocol.latencies("attempts on others' jobs, 12 calls").time(() -> member.tryOn(others, tried)));
        });
        Lives.await("all commands", stage.counts()::openCommands);
        share(stage, all, member -> wrong.addAndGet(member.seesItsOwn() ? 0 : 1));
        protocol.count("attempts_on_others_jobs", tried.get());
        protocol.check(Check.none("attempts_not_refused", missing.get()));
        protocol.check(Check.none("lists_that_are_not_the_own", wrong.get()));
        Map<JobState, Long> after = stage.counts().byState();
        protocol.check(Check.none("states_changed_by_attempts", before.equals(after) ? 0 : 1));
    }

    private static void purge(Stage stage, List<Member> all, RunRecord protocol) {
        share(
                stage,
                all,
                m -> protocol.latencies("cancel")
                        .timed(() -> Client.accept(m.client().ce().cancel(JobSelector.of(List.of(m.registered()))))));
        long cancelled = stage.counts().byState().getOrDefault(JobState.CANCELLED, 0L);
        protocol.check(Check.none("cancels_missing", all.size() - cancelled));
        Member first = all.get(0);
        long stored = stage.site().store().jobs();
        long left = stored - first.jobs().size();
        Client.accept(first.client().ce().purge(JobSelector.ALL));
        Lives.await(
                "the first user's purge of all",
                () -> stage.counts().openCommands()
                        + Math.max(0, stage.site().store().jobs() - left));
        protocol.check(Check.none(
                "others_jobs_purged_by_a_purge_of_all",
                left - stage.site().store().jobs()));
        share(
                stage,
                all.subList(1, all.size()),
                m -> protocol.latencies("purge of all own jobs")
                        .timed(() -> m.client().purge(m.jobs())));
        Lives.await("the purge of all jobs", stage.site().store()::jobs);
    }

    private static void judge(
            RunRecord protocol, Map<String, Spent> alone, Map<String, Spent> among, Map<String, Spent> again) {
        for (String name : alone.keySet()) {
            Spent without = alone.get(name).plus(again.get(name)).per(2);
            Spent with = among.get(name);
            protocol.count("first_users.sql_per_" + name, without.sql());
            protocol.count("all_users.sql_per_" + name, with.sql());
            protocol.count("first_users.cpu_ms_per_" + name, without.cpuMillis());
            protocol.count("all_users.cpu_ms_per_" + name, with.cpuMillis());
            protocol.check(Check.atMost("further_sql_per_" + name, with.sql() - without.sql(), MORE_SQL));
        }
        // Not with the waiting for ends: what the CE does by its clock meanwhile would be in it.
        ToDoubleFunction<Map<String, Spent>> cpu = round -> round.entrySet().stream()
                .filter(e -> !e.getKey().equals(MemberRound.TO_END))
                .mapToDouble(e -> e.getValue().cpuMillis())
                .sum();
        protocol.check(Check.atMost(
                "cpu_all_users_to_first",
                Rates.ratio(cpu.applyAsDouble(among), (cpu.applyAsDouble(alone) + cpu.applyAsDouble(again)) / 2),
                MORE_CPU));
    }

    /** One round of every operation by some users, each operation measured by itself; leaves no job behind. */
    private static final class MemberRound {
        /** The operation that lasts until jobs have ended. */
        static final String TO_END = "start_to_end";
        /** Calls of one kind per user. */
        private static final int CALLS = 4;

        private final Stage stage;
        private final List<Member> members;
        private final Map<Member, List<String>> jobs = new LinkedHashMap<>();
        private final Map<String, Spent> spent = new LinkedHashMap<>();

        private MemberRound(Stage stage, List<Member> members) {
            this.stage = stage;
            this.members = members;
        }

        /** @return what each operation took per call */
        static Map<String, Spent> of(Stage stage, List<Member> members) {
            MemberRound round = new MemberRound(stage, members);
            round.run();
            return round.spent;
        }

        private void run() {
            long stored = stage.site().store().jobs();
            members.forEach(m -> jobs.put(m, new ArrayList<>()));
            each("register", CALLS, m -> jobs.get(m).addAll(m.client().register(1)));
            onJobs("status", 0, CALLS, (m, id) -> m.client().notEnded(List.of(id)));
            onJobs("info", 0, CALLS, (m, id) -> m.client().ce().info(JobSelector.of(List.of(id))));
            each("list", CALLS, m -> m.client().ce().list());
            each("service_info", CALLS, m -> m.client().ce().serviceInfo());
            onJobs(
                    "cancel",
                    0,
                    CALLS / 2,
                    (m, id) -> Client.accept(m.client().ce().cancel(JobSelector.of(List.of(id)))));
            // Seen in the database, so that waiting costs the CE nothing; the time's background is in this number.
            long before = stage.site().store().inState(JobState.DONE_OK);
            int started = members.size() * (CALLS - CALLS / 2);
            measured(TO_END, started, () -> {
                members.forEach(
                        m -> last(m).forEach(id -> Client.accept(m.client().ce().start(List.of(id)))));
                Lives.await(
                        "the end of the round's jobs",
                        () -> before + started - stage.site().store().inState(JobState.DONE_OK));
            });
            onJobs("purge", 0, CALLS, (m, id) -> m.client().purge(List.of(id)));
            Lives.await(
                    "the purge of the round's jobs", () -> stage.site().store().jobs() - stored);
        }

        /** What is done with one job of one user. */
        @FunctionalInterface
        private interface OnJob {
            void call(Member member, String id);
        }

        private List<String> last(Member m) {
            return jobs.get(m).subList(CALLS / 2, CALLS);
        }

        private void each(String name, int times, Consumer<Member> call) {
            measured(
                    name,
                    members.size() * times,
                    () -> members.forEach(m -> {
                        for (int i = 0; i < times; i++) {
                            call.accept(m);
                        }
                    }));
        }

        private void onJobs(String name, int from, int to, OnJob call) {
            measured(
                    name,
                    members.size() * (to - from),
                    () -> members.forEach(
                            m -> List.copyOf(jobs.get(m).subList(from, to)).forEach(id -> call.call(m, id))));
        }

        private void measured(String name, int calls, Runnable work) {
            spent.put(name, Spent.on(stage, work).per(calls));
        }
    }
}
