package org.gelato.ce.perf.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.load.Lives;

/** One round of every operation by some users, each operation measured by itself; leaves no job behind. */
final class MemberRound {
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
        onJobs("cancel", 0, CALLS / 2, (m, id) -> Client.accept(m.client().ce().cancel(JobSelector.of(List.of(id)))));
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
        Lives.await("the purge of the round's jobs", () -> stage.site().store().jobs() - stored);
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
