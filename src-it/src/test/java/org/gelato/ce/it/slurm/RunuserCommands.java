package org.gelato.ce.it.slurm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.account.AccountCommands;

/** Runs commands as local accounts straight from a root JVM, for tests of a batch system alone. */
final class RunuserCommands implements AccountCommands {
    @Override
    public CompletableFuture<Completed> run(String account, Run run) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return runNow(account, run);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        });
    }

    private static Completed runNow(String account, Run run) throws IOException, InterruptedException {
        if (run.cwd() != null) {
            as(account, "mkdir", "-p", "-m", "0700", run.cwd().toString());
        }
        for (FileContent file : run.files()) {
            Files.write(file.path(), file.content());
            Files.setOwner(
                    file.path(),
                    file.path().getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(account));
            Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rwx------"));
        }
        Path out = Files.createTempFile("run", ".out");
        Path err = Files.createTempFile("run", ".err");
        try {
            List<String> argv = new ArrayList<>(prefix(account));
            argv.addAll(run.argv());
            ProcessBuilder builder =
                    new ProcessBuilder(argv).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.directory(
                    run.cwd() == null ? Path.of("/").toFile() : run.cwd().toFile());
            builder.environment().clear();
            builder.environment().putAll(run.environment());
            Process process = builder.start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(run.timeout().toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            return new Completed(
                    process.exitValue(),
                    !ended,
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
    }

    private static List<String> prefix(String account) {
        // -m: the environment as it is
        return account.equals(SELF) ? List.of() : List.of("/usr/sbin/runuser", "-m", "-u", account, "--");
    }

    private static void as(String account, String... command) throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(prefix(account));
        argv.addAll(List.of(command));
        int exit = new ProcessBuilder(argv).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IOException(argv + " ended with " + exit);
        }
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
