package org.gelato.ce.lrms.torque;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.fault.Causes;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.command.JobBatches;
import org.gelato.ce.core.lrms.command.LrmsCommands;

/**
 * qdel, qhold and qrls: one process for up to 200 jobs of an account. When that fails, each job is tried again on its own:
 * the exit status is about one job only, and some error messages name none. Thread-safe, without state.
 */
final class JobActions {
    /** No command ends with it. */
    private static final int REFUSED_BY_HELPER = -1;

    private static final String RUNS = "the job is running, and this batch system holds only jobs that wait";

    private static final String UNREADABLE = "qstat does not show in a readable form whether the job is held";

    private static final Pattern ID = Pattern.compile("[0-9]{1,15}\\.[A-Za-z0-9][A-Za-z0-9._-]{0,250}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");

    private final TorqueConfig config;
    private final LrmsCommands commands;
    private final Executor work;

    JobActions(TorqueConfig config, LrmsCommands commands, Executor work) {
        this.config = config;
        this.commands = commands;
        this.work = work;
    }

    /** Per id null or a message; an unknown or ended job counts as cancelled. */
    CompletableFuture<Map<String, String>> cancel(String account, Collection<String> ids) {
        return inChunks(ids, chunk -> each(account, "qdel", chunk));
    }

    /**
     * As {@link #cancel}; Torque reports success for a running job and lets it run, so its jobs are queried afterwards. The hold
     * of one that runs is taken back: it would count when the job is run again.
     */
    CompletableFuture<Map<String, String>> hold(String account, Collection<String> ids) {
        return inChunks(
                ids,
                chunk -> each(account, "qhold", chunk)
                        .thenCompose(results -> queried(account, results))
                        .thenCompose(results -> withoutHold(account, results)));
    }

    private CompletableFuture<Map<String, String>> withoutHold(String account, Map<String, String> results) {
        List<String> running = results.entrySet().stream()
                .filter(e -> RUNS.equals(e.getValue()) || UNREADABLE.equals(e.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        return running.isEmpty()
                ? CompletableFuture.completedFuture(results)
                : each(account, "qrls", running).thenApply(released -> results);
    }

    CompletableFuture<Map<String, String>> release(String account, Collection<String> ids) {
        return inChunks(ids, chunk -> each(account, "qrls", chunk));
    }

    private CompletableFuture<Map<String, String>> inChunks(
            Collection<String> ids, Function<List<String>, CompletableFuture<Map<String, String>>> action) {
        // qstat takes a name for a queue
        return JobBatches.valid(
                ids,
                form(),
                "not the id of a job of this batch system",
                valid -> JobBatches.inChunks(valid, JobBatches.MAX, action));
    }

    /** Whether a text has the form of the batch system's ids. */
    boolean isId(String text) {
        return form().matcher(text).matches();
    }

    private Pattern form() {
        return config.slurm() ? NUMBER : ID;
    }

    private CompletableFuture<Map<String, String>> each(String account, String program, List<String> ids) {
        return call(account, program, ids).thenCompose(completed -> {
            if (completed.exit() == 0 && !completed.timedOut()) {
                Map<String, String> results = new LinkedHashMap<>();
                ids.forEach(id -> results.put(id, null));
                return CompletableFuture.completedFuture(results);
            }
            if (ids.size() == 1) {
                Map<String, String> results = new LinkedHashMap<>();
                results.put(ids.get(0), message(program, completed));
                return CompletableFuture.completedFuture(results);
            }
            // with a server that hangs each call would hang
            verdict(program, completed);
            return JobBatches.inChunks(ids, 1, one -> each(account, program, one));
        });
    }

    private CompletableFuture<Completed> call(String account, String program, List<String> ids) {
        String at = config.atServer();
        return commands.run(account, program, ids.stream().map(id -> id + at).toList())
                .exceptionally(failure -> {
                    Throwable cause = Causes.of(failure);
                    if (cause instanceof AccountCommandException refused
                            && refused.code() == AccountCommandException.Code.REFUSED) {
                        return new Completed(REFUSED_BY_HELPER, false, "", refused.getMessage());
                    }
                    throw new CompletionException(cause);
                });
    }

    /** @throws LrmsException when the server reported nothing about the job: the whole call is to be repeated */
    private void verdict(String program, Completed completed) {
        String message = TorqueMessages.brief(completed.stdout() + "\n" + completed.stderr());
        if (completed.timedOut()) {
            throw new LrmsException(program + " did not end in time " + message);
        }
        boolean none = config.slurm()
                ? TorqueMessages.slurmGaveNoVerdict(message)
                        || TorqueMessages.slurmTakesNothing(message)
                        || completed.exit() == 126
                        || completed.exit() == 127
                        // up to here it is the number of jobs that failed
                        || (completed.exit() > 128 && message.isEmpty())
                : ServerCode.noVerdict(completed.exit());
        if (none) {
            throw new LrmsException(program + ": " + message + " (status " + completed.exit() + ")");
        }
    }

    /** Of a failed call for one job: null when the failure is equivalent to success. */
    private String message(String program, Completed completed) {
        verdict(program, completed);
        String message = TorqueMessages.brief(completed.stdout() + "\n" + completed.stderr());
        boolean cancelling = program.equals("qdel");
        if (config.slurm()) {
            // reports nothing about an unknown or ended job
            return cancelling && message.isEmpty() ? null : or(message, program, completed);
        }
        return switch (completed.exit()) {
            case ServerCode.UNKNOWN_JOB -> cancelling ? null : or(message, "the job is unknown to the batch system");
            case ServerCode.BAD_STATE -> cancelling ? null : or(message, program, completed);
            case ServerCode.NOT_HELD -> or(message, "the job is not held");
            default -> or(message, program, completed);
        };
    }

    private static String or(String message, String program, Completed completed) {
        return or(message, program + " ended with status " + completed.exit());
    }

    private static String or(String message, String otherwise) {
        return message.isEmpty() ? otherwise : message;
    }

    /** The states of jobs whose hold was reported as successful. */
    private CompletableFuture<Map<String, String>> queried(String account, Map<String, String> results) {
        List<String> held = results.entrySet().stream()
                .filter(e -> e.getValue() == null)
                .map(Map.Entry::getKey)
                .toList();
        if (held.isEmpty()) {
            return CompletableFuture.completedFuture(results);
        }
        List<String> arguments = new ArrayList<>(List.of("-f"));
        String at = config.atServer();
        held.forEach(id -> arguments.add(id + at));
        ListingReader reader = ListingReader.of(false, config.slurm(), job -> true);
        return commands.stream(account, "qstat", arguments, Map.of(), work, reader::take)
                .thenApply(completed -> {
                    if (completed.timedOut() || (completed.exit() != 0 && completed.exit() != ServerCode.UNKNOWN_JOB)) {
                        throw new LrmsException("qstat: " + TorqueMessages.brief(completed.stderr()) + " (status "
                                + completed.exit() + (completed.timedOut() ? ", not in time)" : ")"));
                    }
                    Map<String, String> states = new HashMap<>();
                    QstatListing listing = reader.end();
                    listing.jobs().forEach(job -> states.put(job.id(), job.state()));
                    held.forEach(id -> results.put(
                            id,
                            states.get(id) == null && listing.mayShow(new Lookup(null, null, id))
                                    ? UNREADABLE
                                    : notHeld(states.get(id))));
                    return results;
                });
    }

    private static String notHeld(String state) {
        if (state == null) {
            return "the job is unknown to the batch system";
        }
        return switch (state) {
            case "R", "E", "S" -> RUNS;
            case "C" -> "the job has ended";
            default -> null;
        };
    }
}
