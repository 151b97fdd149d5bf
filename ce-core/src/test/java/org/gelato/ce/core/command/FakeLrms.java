package org.gelato.ce.core.command;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;

/** A batch system whose results the test chooses: for faults a real one cannot be brought to. */
public class FakeLrms implements Lrms {
    private final AtomicInteger next = new AtomicInteger(100);
    private final Map<String, LrmsJob> jobs = new ConcurrentHashMap<>();
    private final List<Submission> submissions = Collections.synchronizedList(new ArrayList<>());
    private volatile Function<Submission, SubmitResult> response = this::accept;
    private volatile boolean hidesEnded;
    private Ends ends = Ends.ALL;
    private volatile boolean hidesAll;
    private volatile boolean pollFails;
    private volatile Runnable whenLookedUp = () -> {};
    private volatile boolean lookUpFails;
    private volatile boolean breaks;
    private volatile boolean silent;
    private volatile Health health = new Health(true, "fake");
    private volatile boolean hangs;
    private volatile boolean forgetsCancels;
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
    private final Set<String> hungCancels = ConcurrentHashMap.newKeySet();
    private final List<String> resumed = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger cancels = new AtomicInteger();
    private final AtomicInteger lookUps = new AtomicInteger();
    private final AtomicInteger polls = new AtomicInteger();
    private final AtomicInteger mostLookedUp = new AtomicInteger();
    private final Map<Submission, CompletableFuture<SubmitResult>> unanswered = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "fake";
    }

    /** Whether polls show no ended jobs; the history knows them. */
    public void hideEnded(boolean hide) {
        hidesEnded = hide;
    }

    /** Whether polls show nothing; the history knows the jobs. */
    public void hideAll(boolean hide) {
        hidesAll = hide;
    }

    public void pollFails(boolean fails) {
        pollFails = fails;
    }

    /** Run within each look-up. */
    public void whenLookedUp(Runnable run) {
        whenLookedUp = run;
    }

    /** Which ends it tells from now on; before the poller is made. */
    public FakeLrms ends(Ends which) {
        ends = which;
        return this;
    }

    @Override
    public Ends ends() {
        return ends;
    }

    @Override
    public Optional<String> ownWords(String line) {
        return line.startsWith("fake: ") ? Optional.of(line.substring(6)) : Optional.empty();
    }

    /** Takes the job and returns its id. */
    public SubmitResult accept(Submission s) {
        String id = Integer.toString(next.incrementAndGet());
        jobs.put(id, new LrmsJob(id, s.id().tag(), LrmsJob.State.QUEUED, null, null, null));
        return new SubmitResult.Accepted(id);
    }

    /** The results of submissions from now on. */
    public void answer(Function<Submission, SubmitResult> with) {
        response = with;
    }

    /** Jobs of which look-ups find nothing that can be read; the test takes them out again. */
    public Set<String> unreadable() {
        return unreadable;
    }

    public void lookUpFails(boolean fails) {
        lookUpFails = fails;
    }

    /** Whether submit itself throws, as a defect would. */
    public void breaks(boolean isBroken) {
        breaks = isBroken;
    }

    /** Whether holds and releases get no result. */
    public void silent(boolean isSilent) {
        silent = isSilent;
    }

    public int polls() {
        return polls.get();
    }

    /** Tags of the largest look-up so far. */
    public int mostLookedUp() {
        return mostLookedUp.get();
    }

    /** Times a look-up by tag was requested. */
    public int lookUps() {
        return lookUps.get();
    }

    public void health(boolean up, String detail) {
        health = new Health(up, detail);
    }

    /** Whether submissions get no result until the test {@link #unanswered answers} them. */
    public void hangs(boolean hang) {
        hangs = hang;
    }

    /** Submissions that hang, to be completed by the test. */
    public Map<Submission, CompletableFuture<SubmitResult>> unanswered() {
        return unanswered;
    }

    public List<Submission> submissions() {
        return List.copyOf(submissions);
    }

    /** Moves a job to a state; null forgets it. */
    public void move(String tag, LrmsJob.State state, Integer exit, String reason) {
        jobs.replaceAll((id, j) -> j.tag().equals(tag) ? new LrmsJob(id, tag, state, exit, reason, "wn1") : j);
    }

    /** Lets a job run on these nodes. */
    public void run(String tag, String nodes) {
        jobs.replaceAll(
                (id, j) -> j.tag().equals(tag) ? new LrmsJob(id, tag, LrmsJob.State.RUNNING, null, null, nodes) : j);
    }

    /** Shows one of several batch jobs of a tag as this from now on. */
    public void show(LrmsJob job) {
        jobs.put(job.lrmsId(), job);
    }

    public void forget(String tag) {
        jobs.values().removeIf(j -> j.tag().equals(tag));
    }

    public Collection<LrmsJob> jobs() {
        return jobs.values();
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        if (breaks) {
            throw new IllegalStateException("a defect");
        }
        submissions.addAll(batch);
        if (hangs) {
            return batch.stream()
                    .map(s -> unanswered.computeIfAbsent(s, x -> new CompletableFuture<>()))
                    .toList();
        }
        return batch.stream()
                .map(s -> CompletableFuture.supplyAsync(() -> response.apply(s)))
                .toList();
    }

    /** Whether cancels are taken and not carried out. */
    public void forgetsCancels(boolean forgets) {
        forgetsCancels = forgets;
    }

    /** Cancels of an account get no result from now on. */
    public void hangCancels(String account) {
        hungCancels.add(account);
    }

    /** Calls of cancel so far. */
    public int cancels() {
        return cancels.get();
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        cancels.incrementAndGet();
        if (hungCancels.contains(account)) {
            return new CompletableFuture<>();
        }
        if (forgetsCancels) {
            return CompletableFuture.completedFuture(new HashMap<>());
        }
        lrmsIds.forEach(id -> jobs.computeIfPresent(
                id, (k, j) -> new LrmsJob(id, j.tag(), LrmsJob.State.CANCELLED, null, null, null)));
        return CompletableFuture.completedFuture(new HashMap<>());
    }

    @Override
    public CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds) {
        return move(lrmsIds, LrmsJob.State.QUEUED, LrmsJob.State.HELD);
    }

    @Override
    public CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds) {
        return move(lrmsIds, LrmsJob.State.HELD, LrmsJob.State.QUEUED);
    }

    /** Ids of jobs that were to be resumed as ours. */
    public List<String> resumed() {
        return List.copyOf(resumed);
    }

    @Override
    public CompletableFuture<Map<String, String>> resume(String account, Collection<String> lrmsIds) {
        resumed.addAll(lrmsIds);
        return release(account, lrmsIds);
    }

    private CompletableFuture<Map<String, String>> move(Collection<String> ids, LrmsJob.State from, LrmsJob.State to) {
        if (silent) {
            return CompletableFuture.failedFuture(new IllegalStateException("the batch system does not respond"));
        }
        Map<String, String> words = new HashMap<>();
        for (String id : ids) {
            LrmsJob job = jobs.get(id);
            if (job.state() == from) {
                jobs.put(id, new LrmsJob(id, job.tag(), to, null, null, job.workerNode()));
            } else if (job.state() != to) {
                words.put(id, "job " + id + " is " + job.state() + " and stays so");
            }
        }
        return CompletableFuture.completedFuture(words);
    }

    @Override
    public CompletableFuture<Set<String>> stillTheirs(Collection<Lookup> wanted) {
        return CompletableFuture.completedFuture(wanted.stream()
                .filter(s -> jobs.containsKey(s.lrmsId())
                        && jobs.get(s.lrmsId()).tag().equals(s.tag()))
                .map(Lookup::lrmsId)
                .collect(Collectors.toSet()));
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll() {
        polls.incrementAndGet();
        if (pollFails) {
            return CompletableFuture.failedFuture(new IllegalStateException("the batch system does not respond"));
        }
        return CompletableFuture.completedFuture(jobs.values().stream()
                .filter(job -> !hidesAll && (!hidesEnded || !job.state().isEnd()))
                .toList());
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> wanted) {
        Set<String> tags = wanted.stream().map(Lookup::tag).collect(Collectors.toSet());
        lookUps.incrementAndGet();
        mostLookedUp.accumulateAndGet(tags.size(), Math::max);
        whenLookedUp.run();
        if (lookUpFails) {
            return CompletableFuture.failedFuture(new IllegalStateException("the batch system does not respond"));
        }
        Map<String, LrmsJob> found = new HashMap<>();
        jobs.values().stream().filter(j -> tags.contains(j.tag())).forEach(j -> found.put(j.tag(), j));
        tags.stream().filter(unreadable::contains).forEach(tag -> found.put(tag, LrmsJob.unreadable(tag, "broken")));
        return CompletableFuture.completedFuture(found);
    }

    @Override
    public CompletableFuture<Health> health() {
        return CompletableFuture.completedFuture(health);
    }
}
