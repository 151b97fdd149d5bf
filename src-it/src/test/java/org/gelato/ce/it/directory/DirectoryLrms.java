package org.gelato.ce.it.directory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.lrms.SubmitResult;

/** A job is a file with its process id, named {@code TAG.running} or {@code TAG.cancelled}. */
final class DirectoryLrms implements Lrms {
    private static final int SIGTERM = 15;

    private final Path path;
    private final AccountCommands accounts;

    DirectoryLrms(Path path, AccountCommands accounts) {
        this.path = path;
        this.accounts = accounts;
    }

    @Override
    public String name() {
        return "directory";
    }

    @Override
    public List<CompletableFuture<SubmitResult>> submit(List<Submission> batch) {
        return batch.stream().map(this::submit).toList();
    }

    private CompletableFuture<SubmitResult> submit(Submission s) {
        String tag = s.id().tag();
        AccountCommands.FileContent wrapper = new AccountCommands.FileContent(
                s.wrapperFile(), 0700, s.wrapper().getBytes(StandardCharsets.UTF_8));
        return accounts.makeDirectory(s.account(), s.sandbox())
                .thenCompose(made -> accounts.spawn(
                        s.account(),
                        new AccountCommands.Spawn(
                                List.of("/bin/bash", s.wrapperFile().toString()),
                                s.sandbox(),
                                Map.of(
                                        "PATH",
                                        "/usr/bin:/bin",
                                        "HOME",
                                        s.sandbox().toString()),
                                List.of(wrapper),
                                s.stdout(),
                                s.stderr())))
                .thenApply(pid -> {
                    write(path.resolve(tag + ".running"), pid.toString());
                    return (SubmitResult) new SubmitResult.Accepted(tag);
                })
                .exceptionally(failure -> new SubmitResult.Unclear(failure.getMessage()));
    }

    @Override
    public CompletableFuture<Map<String, String>> cancel(String account, Collection<String> lrmsIds) {
        Map<String, String> results = new HashMap<>();
        for (String id : lrmsIds) {
            Path running = path.resolve(id + ".running");
            if (Files.exists(running)) {
                accounts.signal(account, pid(running), SIGTERM);
                move(running, path.resolve(id + ".cancelled"));
            }
            results.put(id, null);
        }
        return CompletableFuture.completedFuture(results);
    }

    @Override
    public CompletableFuture<Map<String, String>> hold(String account, Collection<String> lrmsIds) {
        return CompletableFuture.completedFuture(
                lrmsIds.stream().collect(Collectors.toMap(id -> id, id -> "a directory holds no jobs")));
    }

    @Override
    public CompletableFuture<Map<String, String>> release(String account, Collection<String> lrmsIds) {
        return hold(account, lrmsIds);
    }

    @Override
    public CompletableFuture<List<LrmsJob>> poll() {
        List<LrmsJob> jobs = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(path)) {
            for (Path file : all) {
                String[] parts = file.getFileName().toString().split("\\.", 2);
                State state = parts[1].equals("cancelled")
                        ? State.CANCELLED
                        : ProcessHandle.of(pid(file)).isPresent() ? State.RUNNING : State.DONE;
                jobs.add(new LrmsJob(parts[0], parts[0], state, null, null, "localhost"));
            }
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return CompletableFuture.completedFuture(jobs);
    }

    @Override
    public CompletableFuture<Map<String, LrmsJob>> find(Collection<Lookup> lookups) {
        Set<String> tags = lookups.stream().map(Lookup::tag).collect(Collectors.toSet());
        return poll().thenApply(jobs -> jobs.stream()
                .filter(job -> tags.contains(job.tag()))
                .collect(Collectors.toMap(LrmsJob::tag, job -> job)));
    }

    @Override
    public CompletableFuture<Health> health() {
        return CompletableFuture.completedFuture(new Health(Files.isDirectory(path), path.toString()));
    }

    private static long pid(Path file) {
        try {
            return Long.parseLong(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
