package org.gelato.ce.lrms.condor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.command.JobBatches;
import org.gelato.ce.core.lrms.command.LrmsCommands;

/**
 * Cancels, holds, suspends and lets go: one process for up to 200 jobs of an account, which reports on each. HTCondor kills a running job
 * that is held, and would run it again: so what runs is suspended, and the hold itself is bound to jobs that wait. All of it may be
 * repeated. Thread-safe, without state.
 */
final class CondorActions {
    static final String RUNS = "the job is running, and this site lets nobody suspend running jobs";
    static final String SUSPENDED = "the job was suspended by the site, which alone resumes it";
    static final String UNKNOWN = "the job is unknown to HTCondor";
    private static final String NO_ID = "not the id of a job of HTCondor";
    private static final String NOT_THEIRS = "permission denied: HTCondor does not show the job as one of this account";
    private static final String ENDED = "the job has ended";
    private static final Pattern ABOUT_JOB = Pattern.compile("(?m)^Job ([0-9]{1,10}\\.[0-9]{1,10}) (.*)$");
    private static final Pattern DENIED =
            Pattern.compile("(?m)^(Permission denied to \\w{1,20}) job ([0-9]{1,10}\\.[0-9]{1,10})$");

    private final LrmsCommands commands;
    private final CondorLookup lookup;
    private final boolean maySuspend;

    CondorActions(LrmsCommands commands, CondorLookup lookup, boolean maySuspend) {
        this.commands = commands;
        this.lookup = lookup;
        this.maySuspend = maySuspend;
    }

    CompletableFuture<Map<String, String>> cancel(String account, Collection<String> ids) {
        return valid(ids, some -> command(account, "condor_rm", some));
    }

    CompletableFuture<Map<String, String>> hold(String account, Collection<String> ids) {
        return valid(
                ids,
                some -> holdWaiting(account, some)
                        .thenCompose(ignored -> lookup.byId(some))
                        .thenCompose(shown -> {
                            Map<String, String> results = new LinkedHashMap<>();
                            List<String> running = new ArrayList<>();
                            for (String id : some) {
                                CondorListing.Shown one = shown.get(id);
                                State state = one == null ? null : one.job().state();
                                if (state == State.RUNNING
                                        && maySuspend
                                        && one.owner().equals(account)) {
                                    running.add(id);
                                } else {
                                    results.put(id, notHeld(one, account));
                                }
                            }
                            return running.isEmpty()
                                    ? CompletableFuture.completedFuture(results)
                                    : command(account, "condor_suspend", running)
                                            .thenApply(suspended -> {
                                                results.putAll(suspended);
                                                return results;
                                            });
                        }));
    }

    private static String notHeld(CondorListing.Shown shown, String account) {
        if (shown == null) {
            return UNKNOWN;
        }
        State state = shown.job().state();
        if (state == State.HELD) {
            return null;
        }
        if (!shown.owner().equals(account)) {
            return NOT_THEIRS;
        }
        if (state == State.RUNNING) {
            return RUNS;
        }
        return state.isEnd() ? ENDED : "HTCondor did not hold the job";
    }

    /** By a condition that the schedd itself looks at: a job may begin to run at any time. */
    private CompletableFuture<Void> holdWaiting(String account, List<String> ids) {
        String waiting =
                "JobStatus==" + CondorState.IDLE + "&&" + CondorOwnAccountCommands.oneOf(CondorId.EXPRESSION, ids);
        return commands.run(account, "condor_hold", List.of("-constraint", waiting))
                .thenAccept(completed -> verdict("condor_hold", completed));
    }

    /** @param suspended whether jobs that are suspended are to go on */
    CompletableFuture<Map<String, String>> release(String account, Collection<String> ids, boolean suspended) {
        return valid(
                ids,
                some -> lookup.byId(some).thenCompose(shown -> {
                    Map<String, String> results = new LinkedHashMap<>();
                    List<String> waiting = new ArrayList<>();
                    List<String> stopped = new ArrayList<>();
                    for (String id : some) {
                        LrmsJob job = shown.containsKey(id) ? shown.get(id).job() : null;
                        if (job == null) {
                            results.put(id, UNKNOWN);
                        } else if (job.state() == State.HELD && job.workerNode() != null) {
                            if (suspended) {
                                stopped.add(id);
                            } else {
                                results.put(id, SUSPENDED);
                            }
                        } else {
                            waiting.add(id);
                        }
                    }
                    return some(waiting, these -> command(account, "condor_release", these))
                            .thenCompose(released -> {
                                results.putAll(released);
                                return some(stopped, these -> command(account, "condor_continue", these));
                            })
                            .thenApply(resumed -> {
                                results.putAll(resumed);
                                return results;
                            });
                }));
    }

    /**
     * Lets HTCondor put ended jobs into its history; jobs that are not there, or have not ended, are passed over.
     *
     * @return what HTCondor says when it refuses; empty for nothing
     */
    CompletableFuture<String> takeOut(String account, List<String> ids) {
        String ended = "(JobStatus==" + CondorState.COMPLETED + "||JobStatus==" + CondorState.REMOVED + ")&&"
                + CondorOwnAccountCommands.oneOf(CondorId.EXPRESSION, ids);
        return commands.run(account, "condor_qedit", List.of("-constraint", ended, "LeaveJobInQueue", "false"))
                .thenApply(completed -> {
                    verdict("condor_qedit", completed);
                    return completed.exit() == 0 ? "" : "condor_qedit: " + CondorMessages.brief(completed.stderr());
                });
    }

    private static CompletableFuture<Map<String, String>> some(
            List<String> ids, Function<List<String>, CompletableFuture<Map<String, String>>> verb) {
        return ids.isEmpty() ? CompletableFuture.completedFuture(Map.of()) : verb.apply(ids);
    }

    private static CompletableFuture<Map<String, String>> valid(
            Collection<String> ids, Function<List<String>, CompletableFuture<Map<String, String>>> call) {
        return JobBatches.valid(ids, CondorId.FORM, NO_ID, these -> JobBatches.inChunks(these, JobBatches.MAX, call));
    }

    private CompletableFuture<Map<String, String>> command(String account, String program, List<String> ids) {
        Map<String, String> numbers = new LinkedHashMap<>();
        ids.forEach(id -> CondorId.of(id).ifPresent(one -> numbers.put(id, one.number())));
        return commands.run(account, program, List.copyOf(numbers.values())).handle((completed, failure) -> {
            if (failure == null) {
                return results(program, numbers, completed);
            }
            Throwable cause = Causes.of(failure);
            if (cause instanceof AccountCommandException refused
                    && refused.code() == AccountCommandException.Code.REFUSED) {
                Map<String, String> all = new LinkedHashMap<>();
                ids.forEach(id -> all.put(id, refused.getMessage()));
                return all;
            }
            throw new CompletionException(cause);
        });
    }

    /**
     * Per id null for success or HTCondor's words.
     *
     * @throws LrmsException when the schedd reported no result, so that the whole call is to be repeated
     */
    static Map<String, String> results(String program, Map<String, String> numbers, Completed completed) {
        verdict(program, completed);
        String output = completed.stdout() + "\n" + completed.stderr();
        Map<String, String> words = new HashMap<>();
        Matcher about = ABOUT_JOB.matcher(output);
        while (about.find()) {
            words.put(about.group(1), about.group(2).strip());
        }
        Matcher denied = DENIED.matcher(output);
        while (denied.find()) {
            words.put(denied.group(2), denied.group(1).toLowerCase(Locale.ROOT) + " the job");
        }
        if (words.isEmpty()) {
            throw new LrmsException(
                    program + ": " + CondorMessages.brief(output) + " (status " + completed.exit() + ")");
        }
        Map<String, String> results = new LinkedHashMap<>();
        numbers.forEach((id, number) -> results.put(id, result(program, words.get(number))));
        return results;
    }

    private static String result(String program, String words) {
        if (words == null) {
            return program + " reports nothing about the job";
        }
        boolean done = switch (program) {
            case "condor_rm" ->
                words.equals("marked for removal") || words.equals("already marked for removal") || isMissing(words);
            case "condor_suspend" -> words.equals("suspended") || words.equals("already suspended");
            case "condor_continue" -> words.equals("continued");
            default -> words.equals("released");
        };
        if (done) {
            return null;
        }
        return isMissing(words) ? UNKNOWN : words;
    }

    private static boolean isMissing(String words) {
        return words.equals("not found");
    }

    /** @throws LrmsException when the schedd reported nothing */
    private static void verdict(String program, Completed completed) {
        String message = CondorMessages.brief(completed.stderr());
        if (completed.timedOut()) {
            throw new LrmsException(program + " did not end in time " + message);
        }
        if (completed.exit() != 0 && (completed.exit() > 125 || CondorMessages.notReached(completed.stderr()))) {
            throw new LrmsException(program + ": " + message + " (status " + completed.exit() + ")");
        }
    }
}
