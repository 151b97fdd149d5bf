package org.gelato.ce.core.lrms.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.Lrms.Health;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.SiteScriptLines;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;

/**
 * A batch system's commands, run through the helper. Futures fail as {@link AccountCommands} says, and those of commands that read
 * with {@link LrmsException} when the command was killed or failed. Thread-safe, without state.
 */
public final class LrmsCommands {
    private static final int MAX_MESSAGE = 256 * 1024;

    private final CommandSite site;
    private final AccountCommands accounts;
    private final UnaryOperator<String> brief;

    /**
     * @param accounts the helper; must allow the commands
     * @param brief makes one line of what a command printed
     */
    public LrmsCommands(CommandSite site, AccountCommands accounts, UnaryOperator<String> brief) {
        this.site = site;
        this.accounts = accounts;
        this.brief = brief;
    }

    public CommandSite site() {
        return site;
    }

    /** Runs a command without input. */
    public CompletableFuture<Completed> run(String account, String name, List<String> arguments) {
        return run(account, command(name, arguments, Map.of(), MAX_MESSAGE));
    }

    private CompletableFuture<Completed> run(String account, Run run) {
        try {
            return accounts.run(account, run);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Runs a command without input whose output may be long.
     *
     * @param more environment beside the site's
     * @param work as of {@link AccountCommands#stream}, and {@code pieces} likewise
     */
    public CompletableFuture<Completed> stream(
            String account,
            String name,
            List<String> arguments,
            Map<String, String> more,
            Executor work,
            Consumer<byte[]> pieces) {
        try {
            return accounts.stream(account, command(name, arguments, more, 0), work, pieces);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Reads what a command prints as the helper's own account; fails where it did not end well. */
    public CompletableFuture<Void> read(String name, List<String> arguments, Executor work, Consumer<byte[]> pieces) {
        return stream(AccountCommands.SELF, name, arguments, Map.of(), work, pieces)
                .thenAccept(completed -> endedWell(name, completed));
    }

    /** @throws LrmsException when a command that reads was killed or failed */
    public void endedWell(String name, Completed completed) {
        if (completed.timedOut()) {
            throw new LrmsException(name + " did not end in time " + brief.apply(completed.stderr()));
        }
        if (completed.exit() != 0) {
            throw new LrmsException(
                    name + ": " + brief.apply(completed.stderr()) + " (status " + completed.exit() + ")");
        }
    }

    /**
     * Whether the batch system responds to a command.
     *
     * @param words the command, for a message
     * @param reader what its end means, where it ended in time
     */
    public CompletableFuture<Health> health(
            String name, List<String> arguments, String words, Function<Completed, Health> reader) {
        return run(AccountCommands.SELF, name, arguments).handle((completed, failure) -> {
            if (failure != null) {
                return new Health(false, Messages.of(failure));
            }
            return completed.timedOut() ? new Health(false, words + " did not end in time") : reader.apply(completed);
        });
    }

    /**
     * Runs the site's script for a job, then submits the job.
     *
     * @param script null where the site has none
     * @param submit as of {@link SiteScriptLines#before}
     */
    public CompletableFuture<SubmitResult> withAttributes(
            Submission submission, Path script, Function<SiteScriptLines, CompletableFuture<SubmitResult>> submit) {
        return SiteScriptLines.before(
                submission, script, site.environment(submission.account(), "/"), site.timeout(), this::run, submit);
    }

    /**
     * Hands one job over by one command.
     *
     * @param call makes it; an {@link IllegalArgumentException} is a message for the user, as the batch system can never take
     *     such a job
     * @param answers reads what became of it
     */
    public CompletableFuture<SubmitResult> submit(
            Submission submission, Supplier<Run> call, SubmitResponses responses) {
        Run run;
        try {
            run = call.get();
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(new SubmitResult.Refused(e.getMessage()));
        }
        return run(submission.account(), run)
                .handle((completed, failure) -> failure == null ? responses.of(completed) : responses.of(failure));
    }

    private Run command(String name, List<String> arguments, Map<String, String> more, int maxOutput) {
        List<String> argv = new ArrayList<>();
        argv.add(site.program(name));
        argv.addAll(arguments);
        Map<String, String> environment = site.environment();
        environment.putAll(more);
        return new Run(argv, null, environment, new byte[0], List.of(), site.timeout(), maxOutput);
    }
}
