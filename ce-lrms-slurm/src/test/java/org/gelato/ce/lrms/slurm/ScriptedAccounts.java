package org.gelato.ce.lrms.slurm;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.gelato.ce.core.account.UnusedAccounts;

/** Completes commands by a script and records them. Like the channel's, its futures may fail, its calls never do. */
final class ScriptedAccounts extends UnusedAccounts {
    /** One command as it was requested. */
    record Call(String account, Run run) {
        String program() {
            return Path.of(run.argv().get(0)).getFileName().toString();
        }

        String line() {
            return String.join(" ", run.argv());
        }
    }

    private static final int PIECE = 37;

    final List<Call> calls = new ArrayList<>();
    private final BiFunction<Call, String, CompletableFuture<Completed>> script;

    /** @param script gets the call and the mark in its output format, empty when it has none */
    ScriptedAccounts(BiFunction<Call, String, CompletableFuture<Completed>> script) {
        this.script = script;
    }

    static ScriptedAccounts answering(int exit, String stdout, String stderr) {
        return new ScriptedAccounts(
                (call, mark) -> CompletableFuture.completedFuture(new Completed(exit, false, stdout, stderr)));
    }

    static CompletableFuture<Completed> done(int exit, String stdout, String stderr) {
        return CompletableFuture.completedFuture(new Completed(exit, false, stdout, stderr));
    }

    @Override
    public CompletableFuture<Completed> run(String account, Run run) {
        Call call = new Call(account, run);
        calls.add(call);
        String mark = run.argv().stream()
                .filter(word -> word.startsWith("--Format=JobID:0|") || word.startsWith("--delimiter=|"))
                .map(word -> word.split("\\|")[1])
                .findFirst()
                .orElse("");
        return script.apply(call, mark);
    }

    /** What {@link #run} returns, its output in pieces that end anywhere. */
    @Override
    public CompletableFuture<Completed> stream(String account, Run run, Executor work, Consumer<byte[]> pieces) {
        return run(account, run)
                .thenApplyAsync(
                        end -> {
                            byte[] all = end.stdout().getBytes(StandardCharsets.UTF_8);
                            for (int at = 0; at < all.length; at += PIECE) {
                                pieces.accept(Arrays.copyOfRange(all, at, Math.min(all.length, at + PIECE)));
                            }
                            return new Completed(end.exit(), end.timedOut(), "", end.stderr());
                        },
                        work);
    }
}
