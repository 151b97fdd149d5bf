package org.gelato.ce.it.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.it.history.nemesis.Authority;
import org.gelato.ce.it.history.nemesis.FaultKind;
import org.gelato.ce.it.history.nemesis.FaultLog;

/** A history that a test writes down, call after call; each ends before the next one begins unless it is {@link #overlapping}. */
final class HandMade {
    static final String ANN = "Ann";
    static final String BEN = "Ben";
    static final String JOB = "CREAM000000001";
    static final String OTHER = "CREAM000000002";

    private final List<Call> calls = new ArrayList<>();
    private final List<History.Fault> faults = new ArrayList<>();
    private final Map<String, Integer> runs = new HashMap<>();
    private final Set<String> endless = new HashSet<>();
    private final Map<String, Integer> said = new HashMap<>();
    private final Map<String, Authority> authorities = new HashMap<>();
    private final Map<String, Long> ends = new HashMap<>();
    private Map<String, History.Usage> usage;
    private long now;
    private long closed = Call.NEVER;

    HandMade call(String owner, Operation operation, String job, String argument, Answer answer) {
        long invoked = ++now;
        long completed = answer.isKnown() ? ++now : Call.NEVER;
        calls.add(new Call(
                calls.size() + 1,
                "c",
                owner,
                operation,
                job,
                argument,
                Call.Validity.VALID,
                invoked,
                completed,
                answer));
        return this;
    }

    /** The credentials of the last call were worth this. */
    HandMade by(Call.Validity validity) {
        Call c = calls.remove(calls.size() - 1);
        calls.add(new Call(
                c.number(),
                c.client(),
                c.owner(),
                c.operation(),
                c.job(),
                c.argument(),
                validity,
                c.invoked(),
                c.completed(),
                c.answer()));
        return this;
    }

    /** A fault of this kind lasted while the last call was under way. */
    HandMade during(FaultKind kind) {
        Call c = calls.get(calls.size() - 1);
        return fault(new History.Fault(kind, c.invoked(), c.completed(), Set.of(), null));
    }

    /** The other CA was away while the last so many calls were under way. */
    HandMade away(int last) {
        long from = calls.get(calls.size() - last).invoked();
        long until = calls.get(calls.size() - 1).completed();
        FaultLog.Away away = new FaultLog.Away(from, until);
        // what comes just before and after is in doubt
        return fault(new History.Fault(FaultKind.CA_REMOVED, from - 1, until + 1, Set.of(), away));
    }

    private HandMade fault(History.Fault fault) {
        faults.add(fault);
        return this;
    }

    HandMade vouches(Authority authority, String owner) {
        authorities.put(owner, authority);
        return this;
    }

    /** From here on a delegation may have ended. */
    HandMade ends(String delegation) {
        ends.put(delegation, ++now);
        return this;
    }

    HandMade renew(String delegation, Answer answer) {
        return call(ANN, Operation.RENEW, null, delegation, answer);
    }

    HandMade call(Operation operation, String job, Answer answer) {
        return call(ANN, operation, job, operation.makesJobs() ? "key " + now : "", answer);
    }

    HandMade done(Operation operation, String job) {
        return call(operation, job, Answer.DONE);
    }

    /** An operation whose connection broke. */
    HandMade lost(Operation operation, String job) {
        return call(operation, job, Answer.none("broken"));
    }

    HandMade is(String job, JobState first, JobState... more) {
        return call(Operation.STATUS, job, Answer.state(first, more));
    }

    HandMade unknown(String job) {
        return call(Operation.STATUS, job, Answer.UNKNOWN_JOB);
    }

    HandMade list(String... jobs) {
        return call(Operation.LIST, null, Answer.jobs(List.of(jobs)));
    }

    /** @param events number, job and state by turns */
    HandMade events(long from, SeenEvent... events) {
        return call(ANN, Operation.EVENTS, null, Long.toString(from), Answer.events(List.of(events)));
    }

    /** An operation on a lease, or of a job with one. */
    HandMade leased(Operation operation, String job, String lease, Answer answer) {
        return call(ANN, operation, job, lease, answer);
    }

    HandMade leased(Operation operation, String lease) {
        return leased(operation, null, lease, Answer.DONE);
    }

    HandMade attached(String job, String lease) {
        return leased(Operation.ATTACH, job, lease, Answer.DONE);
    }

    /** A job sends so many messages. */
    HandMade says(String job, int messages) {
        said.put(job, messages);
        return this;
    }

    /** Messages of a job, or of all for null: a page that is the last one for now. */
    HandMade messages(String job, long after, boolean complete, MessagePage.Seen... seen) {
        long next = seen.length == 0 ? after : seen[seen.length - 1].id();
        MessagePage page = new MessagePage(List.of(seen), next, false, complete);
        return call(ANN, Operation.MESSAGES, job, Long.toString(after), Answer.messages(page));
    }

    /** The last two calls are under way at the same time. */
    HandMade overlapping() {
        Call first = calls.remove(calls.size() - 2);
        Call second = calls.remove(calls.size() - 1);
        // the second one lies within the first
        long invoked = first.completed();
        long completed = second.invoked();
        calls.add(moved(first, first.invoked(), second.completed()));
        calls.add(moved(second, invoked, completed));
        return this;
    }

    private static Call moved(Call c, long invoked, long completed) {
        return new Call(
                c.number(),
                c.client(),
                c.owner(),
                c.operation(),
                c.job(),
                c.argument(),
                c.validity(),
                invoked,
                completed,
                c.answer());
    }

    HandMade ran(String job, int times) {
        runs.put(job, times);
        return this;
    }

    HandMade endless(String... jobs) {
        endless.addAll(Arrays.asList(jobs));
        return this;
    }

    HandMade forgotten() {
        return fault(new History.Fault(FaultKind.SLURM_FORGOT, now, ++now, Set.of(), null));
    }

    /** The batch system may have ended these jobs. */
    HandMade shadowsKilled(String... jobs) {
        return fault(new History.Fault(FaultKind.SHADOWS_KILLED, now, ++now, Set.of(jobs), null));
    }

    HandMade used(String job, JobState state, boolean ran) {
        usage = usage == null ? new HashMap<>() : usage;
        usage.put(job, new History.Usage(state, ran));
        return this;
    }

    /** From here on all was followed to its end. */
    HandMade closed() {
        closed = ++now;
        return this;
    }

    History history() {
        return new History(1, calls, faults, runs, endless, said, authorities, ends, usage, closed);
    }

    List<Violation> check() {
        return HistoryChecker.check(history());
    }
}
