package org.gelato.ce.core.account;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/** Completes commands by a script and records them. Like the channel's, its futures may fail, its calls never do. */
public final class ScriptedAccounts extends UnusedAccounts {
    /** One command as it was requested. */
    public record Call(String account, Run run) {
        public String program() {
            return Path.of(run.argv().get(0)).getFileName().toString();
        }

        public String line() {
            return String.join(" ", run.argv());
        }
    }

    private static final int PIECE = 37;

    public final List<Call> calls = new ArrayList<>();
    private final Function<Call, CompletableFuture<Completed>> script;

    public ScriptedAccounts(Function<Call, CompletableFuture<Completed>> script) {
        this.script = script;
    }

    public static ScriptedAccounts answering(int exit, String stdout, String stderr) {
        return new ScriptedAccounts(call -> done(exit, stdout, stderr));
    }

    public static CompletableFuture<Completed> done(int exit, String stdout, String stderr) {
        return CompletableFuture.completedFuture(new Completed(exit, false, stdout, stderr));
    }

    @Override
    public CompletableFuture<Completed> run(String account, Run run) {
        Call call = new Call(account, run);
        calls.add(call);
        return script.apply(call);
    }

    /** There are no daemons of accounts: their callers go by commands. */
    @Override
    public CompletableFuture<HttpResponse> http(String account, HttpCall call) {
        return CompletableFuture.failedFuture(
                new AccountCommandException(AccountCommandException.Code.REFUSED, "no such service"));
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
