package org.gelato.ce.lrms.slurm;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.ScriptedAccounts;

/** Scripted answers of Slurm's commands, whose fields stand behind a mark that each call chooses. */
final class SlurmScript {
    private SlurmScript() {}

    /** @param script gets the call and the mark in its output format, empty when it has none */
    static ScriptedAccounts accounts(BiFunction<ScriptedAccounts.Call, String, CompletableFuture<Completed>> script) {
        return new ScriptedAccounts(call -> script.apply(call, mark(call)));
    }

    private static String mark(ScriptedAccounts.Call call) {
        return call.run().argv().stream()
                .filter(word -> word.startsWith("--Format=JobID:0|") || word.startsWith("--delimiter=|"))
                .map(word -> word.split("\\|")[1])
                .findFirst()
                .orElse("");
    }
}
