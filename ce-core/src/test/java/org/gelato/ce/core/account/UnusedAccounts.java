package org.gelato.ce.core.account;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Accounts that can do nothing: a test overrides what its subject uses, and any other call fails loudly. */
public abstract class UnusedAccounts implements AccountCommands {
    private static UnsupportedOperationException unexpected(String what) {
        return new UnsupportedOperationException("this test expects no " + what);
    }

    @Override
    public CompletableFuture<Completed> run(String account, Run run) {
        throw unexpected("run");
    }

    @Override
    public CompletableFuture<Completed> stream(String account, Run run, Executor work, Consumer<byte[]> pieces) {
        throw unexpected("stream");
    }

    @Override
    public CompletableFuture<HttpResponse> http(String account, HttpCall call) {
        throw unexpected("http");
    }

    @Override
    public CompletableFuture<Long> spawn(String account, Spawn spawn) {
        throw unexpected("spawn");
    }

    @Override
    public CompletableFuture<Void> signal(String account, long pid, int signal) {
        throw unexpected("signal");
    }

    @Override
    public CompletableFuture<Void> makeDirectory(String account, Path directory) {
        throw unexpected("makeDirectory");
    }

    @Override
    public CompletableFuture<Void> put(String account, FileContent file) {
        throw unexpected("put");
    }

    @Override
    public CompletableFuture<FilePart> get(String account, Path file, long offset, int max) {
        throw unexpected("get");
    }

    @Override
    public CompletableFuture<List<FileEntry>> list(String account, Path directory, int max) {
        throw unexpected("list");
    }

    @Override
    public CompletableFuture<Tree> tree(String account, Path directory, int depth, int max) {
        throw unexpected("tree");
    }

    @Override
    public CompletableFuture<List<FileContent>> collect(String account, Path directory, int maxFiles, int maxBytes) {
        throw unexpected("collect");
    }

    @Override
    public CompletableFuture<Void> discard(String account, Path directory, List<String> names) {
        throw unexpected("discard");
    }

    @Override
    public CompletableFuture<Void> renameAway(String account, Path from, Path to) {
        throw unexpected("renameAway");
    }

    @Override
    public CompletableFuture<Void> remove(String account, Path tree) {
        throw unexpected("remove");
    }

    @Override
    public CompletableFuture<Long> append(String account, Path file, long offset, byte[] bytes) {
        throw unexpected("append");
    }

    @Override
    public CompletableFuture<Void> finish(String account, Path part, Path file, long size) {
        throw unexpected("finish");
    }

    @Override
    public CompletableFuture<FileVersion> stat(String account, Path file) {
        throw unexpected("stat");
    }

    @Override
    public CompletableFuture<Void> ping() {
        throw unexpected("ping");
    }
}
