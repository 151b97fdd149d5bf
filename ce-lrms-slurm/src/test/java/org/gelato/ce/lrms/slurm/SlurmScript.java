package org.gelato.ce.lrms.slurm;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.ScriptedAccounts;

/** Scripted answers of Slurm's commands, whose fields stand behind a mark that each call chooses. */
final class SlurmScript {
    private SlurmScript() {}

    /** @param script gets the call and the mark in its output format, empty when it has none */
    static ScriptedAccounts accounts(BiFunction<ScriptedAccounts.Call, String, CompletableFuture<Completed>> script) {
        return new ScriptedAccounts(call -> {
            String mark = mark(call);
            return script.apply(call, mark)
                    .thenApply(done -> new Completed(
                            done.exit(), done.timedOut(), placed(done.stdout(), mark, call.program()), done.stderr()));
        });
    }

    /** Lines with time and directory of the submission behind the id, where they have none. */
    static String placed(String lines, String mark, String program) {
        String separator = '|' + mark + '|';
        String place = separator + "1795213716" + (program.equals("sacct") ? separator : "|") + "/home" + separator;
        return mark.isEmpty() || lines.contains("|/")
                ? lines
                : lines.replaceAll(
                        "(?m)^([^|\\n]*)" + Pattern.quote(separator), "$1" + Matcher.quoteReplacement(place));
    }

    private static String mark(ScriptedAccounts.Call call) {
        return call.run().argv().stream()
                .filter(word -> word.startsWith("--Format=JobID:0|") || word.startsWith("--delimiter=|"))
                .map(word -> word.split("\\|")[1])
                .findFirst()
                .orElse("");
    }
}
