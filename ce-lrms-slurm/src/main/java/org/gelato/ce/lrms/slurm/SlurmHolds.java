package org.gelato.ce.lrms.slurm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;

/**
 * Holds, suspends and lets go. Slurm takes a hold of a running job, reports success, and lets it run: the hold would count when
 * the job is requeued. So a running job is suspended or left as it is. Only operators may suspend, so the helper's own account
 * does it, for jobs alone that Slurm shows as the account's; a job that the site suspended stays so
 * (docs/developer/decisions/0092). All of it may be repeated after a crash. Thread-safe, without state.
 */
final class SlurmHolds {
    static final String RUNS = "the job is running, and this site lets nobody suspend running jobs";
    static final String SUSPENDED = "the job was suspended by the site, which alone resumes it";
    private static final String NOT_THEIRS = "Slurm does not show the job as one of this account";
    private static final String BY_USER = "JobHeldUser";

    private final SlurmLookup lookup;
    private final Verbs verbs;
    private final boolean maySuspend;

    /** The changes themselves; results as of {@link org.gelato.ce.core.lrms.Lrms#cancel}. */
    interface Verbs {
        CompletableFuture<Map<String, String>> hold(String account, Collection<String> ids);

        CompletableFuture<Map<String, String>> release(String account, Collection<String> ids);

        /** As the helper's own account. */
        CompletableFuture<Map<String, String>> suspend(Collection<String> ids);

        /** As the helper's own account. */
        CompletableFuture<Map<String, String>> resume(Collection<String> ids);
    }

    SlurmHolds(SlurmLookup lookup, Verbs verbs, boolean maySuspend) {
        this.lookup = lookup;
        this.verbs = verbs;
        this.maySuspend = maySuspend;
    }

    CompletableFuture<Map<String, String>> hold(String account, Collection<String> ids) {
        Map<String, String> results = new LinkedHashMap<>();
        Map<String, SlurmListing.Shown> running = new LinkedHashMap<>();
        List<String> tooLate = new ArrayList<>();
        return lookup.byId(ids)
                .thenCompose(before -> {
                    List<String> waiting = new ArrayList<>();
                    for (String id : ids) {
                        SlurmListing.Shown shown = before.get(id);
                        State state =
                                shown == null ? State.UNKNOWN : shown.job().state();
                        if (state == State.RUNNING) {
                            running.put(id, shown);
                            // of a try that ended within
                            if (BY_USER.equals(shown.job().reason())) {
                                tooLate.add(id);
                            }
                        } else if (state == State.HELD) {
                            results.put(id, null);
                        } else {
                            waiting.add(id);
                        }
                    }
                    return some(waiting, these -> verbs.hold(account, these));
                })
                .thenCompose(held -> {
                    results.putAll(held);
                    return begun(held);
                })
                .thenCompose(begun -> {
                    running.putAll(begun);
                    tooLate.addAll(begun.keySet());
                    return some(tooLate, these -> verbs.release(account, these));
                })
                .thenCompose(released -> suspend(account, running).thenApply(suspended -> {
                    suspended.forEach((id, words) -> results.put(id, withHold(words, released.get(id))));
                    return results;
                }));
    }

    /** Jobs that began to run before their hold came. */
    private CompletableFuture<Map<String, SlurmListing.Shown>> begun(Map<String, String> held) {
        List<String> good =
                held.keySet().stream().filter(id -> held.get(id) == null).toList();
        return good.isEmpty()
                ? CompletableFuture.completedFuture(Map.of())
                : lookup.byId(good).thenApply(after -> {
                    Map<String, SlurmListing.Shown> begun = new HashMap<>(after);
                    begun.values().removeIf(shown -> shown.job().state() != State.RUNNING);
                    return begun;
                });
    }

    private static String withHold(String words, String stays) {
        return words == null || stays == null ? words : words + "; its hold could not be taken back: " + stays;
    }

    private CompletableFuture<Map<String, String>> suspend(String account, Map<String, SlurmListing.Shown> running) {
        Map<String, String> results = new HashMap<>();
        List<String> theirs = new ArrayList<>();
        running.forEach((id, shown) -> {
            if (!maySuspend) {
                results.put(id, RUNS);
            } else if (!shown.owner().equals(account)) {
                results.put(id, NOT_THEIRS);
            } else {
                theirs.add(id);
            }
        });
        return some(theirs, verbs::suspend).thenApply(done -> {
            results.putAll(done);
            return results;
        });
    }

    /** @param suspended whether jobs that are suspended are to be resumed */
    CompletableFuture<Map<String, String>> release(String account, Collection<String> ids, boolean suspended) {
        Map<String, String> results = new LinkedHashMap<>();
        List<String> toResume = new ArrayList<>();
        return lookup.byId(ids)
                .thenCompose(shown -> {
                    List<String> waiting = new ArrayList<>();
                    for (String id : ids) {
                        SlurmListing.Shown one = shown.get(id);
                        if (one == null || !isSuspended(one.job())) {
                            waiting.add(id);
                        } else if (!suspended) {
                            results.put(id, SUSPENDED);
                        } else if (one.owner().equals(account)) {
                            toResume.add(id);
                        } else {
                            results.put(id, NOT_THEIRS);
                        }
                    }
                    return some(waiting, these -> verbs.release(account, these));
                })
                .thenCompose(released -> {
                    results.putAll(released);
                    return some(toResume, verbs::resume);
                })
                .thenApply(resumed -> {
                    results.putAll(resumed);
                    return results;
                });
    }

    /** A job that is held before it runs has no nodes. */
    private static boolean isSuspended(LrmsJob job) {
        return job.state() == State.HELD && job.workerNode() != null;
    }

    private static CompletableFuture<Map<String, String>> some(
            List<String> ids, Function<List<String>, CompletableFuture<Map<String, String>>> verb) {
        return ids.isEmpty() ? CompletableFuture.completedFuture(Map.of()) : verb.apply(ids);
    }
}
