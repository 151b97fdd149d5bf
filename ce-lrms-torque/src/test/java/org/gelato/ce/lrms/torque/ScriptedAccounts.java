package org.gelato.ce.lrms.torque;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.gelato.ce.core.account.UnusedAccounts;

/** Answers commands by a script and remembers them. Like the channel's, its futures may fail, its calls never do. */
final class ScriptedAccounts extends UnusedAccounts {
    /** One command as it was asked for. */
    record Call(String account, Run run) {
        String program() {
            return Path.of(run.argv().get(0)).getFileName().toString();
        }

        String line() {
            return String.join(" ", run.argv());
        }
    }

    final List<Call> calls = new ArrayList<>();
    private final Function<Call, CompletableFuture<Completed>> script;

    ScriptedAccounts(Function<Call, CompletableFuture<Completed>> script) {
        this.script = script;
    }

    static ScriptedAccounts answering(int exit, String stdout, String stderr) {
        return new ScriptedAccounts(call -> done(exit, stdout, stderr));
    }

    static CompletableFuture<Completed> done(int exit, String stdout, String stderr) {
        return CompletableFuture.completedFuture(new Completed(exit, false, stdout, stderr));
    }

    @Override
    public CompletableFuture<Completed> run(String account, Run run) {
        Call call = new Call(account, run);
        calls.add(call);
        return script.apply(call);
    }
}
