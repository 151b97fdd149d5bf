package org.gelato.ce.ws.parts;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands;

/**
 * Counts what a batch system's adapter runs and starts: {@code ce_lrms_commands_total} by program and outcome, and how long the
 * responses took; requests to daemons of accounts likewise. Programs come from the adapter, so there are few. Other calls pass through. For any thread; keeps no
 * state.
 */
final class CountedCommands implements AccountCommands {
    private static final int NOT_FOUND = 404;

    private final AccountCommands commands;
    private final MeterRegistry meters;
    private final String lrms;

    /** @param lrms the kind of batch system */
    CountedCommands(AccountCommands commands, MeterRegistry meters, String lrms) {
        this.commands = commands;
        this.meters = meters;
        this.lrms = lrms;
    }

    @Override
    public CompletableFuture<Completed> run(String account, Run run) {
        long from = System.nanoTime();
        return counted(run, commands.run(account, run), from);
    }

    @Override
    public CompletableFuture<Completed> stream(String account, Run run, Executor work, Consumer<byte[]> pieces) {
        long from = System.nanoTime();
        return counted(run, commands.stream(account, run, work, pieces), from);
    }

    @Override
    public CompletableFuture<HttpResponse> http(String account, HttpCall call) {
        long from = System.nanoTime();
        return commands.http(account, call).whenComplete((response, failure) -> {
            String outcome = failure != null
                    ? failed(failure)
                    : response.status() == HttpResponse.UNKNOWN
                            ? "unknown"
                            : isGood(response.status(), call) ? "ok" : "failed";
            count(call.service(), outcome, from);
        });
    }

    /** A daemon that reports that it lacks what was asked for has answered the question. */
    private static boolean isGood(int status, HttpCall call) {
        return status / 100 == 2 || (status == NOT_FOUND && call.mayBeMissing());
    }

    private CompletableFuture<Completed> counted(Run run, CompletableFuture<Completed> response, long from) {
        return response.whenComplete((end, failure) -> {
            String outcome = failure != null
                    ? failed(failure)
                    : end.timedOut() ? "timed-out" : end.exit() == 0 ? "ok" : "failed";
            count(program(run.argv()), outcome, from);
        });
    }

    @Override
    public CompletableFuture<Long> spawn(String account, Spawn spawn) {
        long from = System.nanoTime();
        return commands.spawn(account, spawn)
                .whenComplete(
                        (pid, failure) -> count(program(spawn.argv()), failure == null ? "ok" : failed(failure), from));
    }

    private static String failed(Throwable failure) {
        return failure instanceof AccountCommandException ? "refused" : "unknown";
    }

    private static String program(List<String> argv) {
        return Path.of(argv.get(0)).getFileName().toString();
    }

    private void count(String program, String outcome, long from) {
        meters.counter("ce.lrms.commands", "lrms", lrms, "program", program, "outcome", outcome)
                .increment();
        Timer.builder("ce.lrms.command.answers")
                .description("Time from a command's request to its answer")
                .tags("lrms", lrms, "program", program)
                .register(meters)
                .record(System.nanoTime() - from, TimeUnit.NANOSECONDS);
    }

    @Override
    public CompletableFuture<Void> signal(String account, long pid, int signal) {
        return commands.signal(account, pid, signal);
    }

    @Override
    public CompletableFuture<Void> makeDirectory(String account, Path directory) {
        return commands.makeDirectory(account, directory);
    }

    @Override
    public CompletableFuture<Void> put(String account, FileContent file) {
        return commands.put(account, file);
    }

    @Override
    public CompletableFuture<FilePart> get(String account, Path file, long offset, int max) {
        return commands.get(account, file, offset, max);
    }

    @Override
    public CompletableFuture<List<FileEntry>> list(String account, Path directory, int max) {
        return commands.list(account, directory, max);
    }

    @Override
    public CompletableFuture<Tree> tree(String account, Path directory, int depth, int max) {
        return commands.tree(account, directory, depth, max);
    }

    @Override
    public CompletableFuture<List<FileContent>> collect(String account, Path directory, int maxFiles, int maxBytes) {
        return commands.collect(account, directory, maxFiles, maxBytes);
    }

    @Override
    public CompletableFuture<Void> discard(String account, Path directory, List<String> names) {
        return commands.discard(account, directory, names);
    }

    @Override
    public CompletableFuture<Void> renameAway(String account, Path from, Path to) {
        return commands.renameAway(account, from, to);
    }

    @Override
    public CompletableFuture<Void> remove(String account, Path tree) {
        return commands.remove(account, tree);
    }

    @Override
    public CompletableFuture<Long> append(String account, Path file, long offset, byte[] bytes) {
        return commands.append(account, file, offset, bytes);
    }

    @Override
    public CompletableFuture<Void> finish(String account, Path part, Path file, long size) {
        return commands.finish(account, part, file, size);
    }

    @Override
    public CompletableFuture<FileVersion> stat(String account, Path file) {
        return commands.stat(account, file);
    }

    @Override
    public CompletableFuture<Void> ping() {
        return commands.ping();
    }
}
