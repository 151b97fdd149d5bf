package org.gelato.ce.lrms.slurm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.gelato.ce.core.account.AccountCommands;

/** Answers commands by a script and remembers them. Like the channel's, its futures may fail, its calls never do. */
final class ScriptedAccounts implements AccountCommands {
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

    @Override
    public CompletableFuture<Long> spawn(String account, Spawn spawn) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> signal(String account, long pid, int signal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> makeDirectory(String account, Path directory) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> put(String account, FileContent file) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<FilePart> get(String account, Path file, long offset, int max) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<FileEntry>> list(String account, Path directory, int max) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<FileContent>> collect(String account, Path directory, int maxFiles, int maxBytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> discard(String account, Path directory, List<String> names) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> renameAway(String account, Path from, Path to) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> remove(String account, Path tree) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> ping() {
        throw new UnsupportedOperationException();
    }
}
