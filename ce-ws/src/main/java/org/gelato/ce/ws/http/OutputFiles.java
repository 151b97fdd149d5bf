package org.gelato.ce.ws.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.FileEntry;
import org.gelato.ce.core.account.AccountCommands.FilePart;
import org.gelato.ce.core.job.JobOutput;

/** Reads a job's output files through the helper, part by part. Waits for each part, but not for ever. Thread-safe. */
final class OutputFiles {
    private static final int PART = 1 << 20;
    private static final int MAX_FILES = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AccountCommands accounts;

    OutputFiles(AccountCommands accounts) {
        this.accounts = accounts;
    }

    /** The file changed while it was read, or cannot be read on; the answer had already begun. */
    static final class Broken extends IOException {
        private static final long serialVersionUID = 1L;

        Broken(String message, Throwable cause) {
            super(message, cause);
        }
    }

    List<FileEntry> list(JobOutput output) {
        return await(accounts.list(output.account(), output.directory(), MAX_FILES));
    }

    /** The first bytes of a file and its size; at most as many as wanted. */
    FilePart first(JobOutput output, String name, long wanted) {
        return part(output, name, 0, wanted);
    }

    /** Sends a range of a file; {@code begun} are bytes from its start that are already here. */
    void send(JobOutput output, String name, ByteRange range, byte[] begun, OutputStream to) throws IOException {
        long at = range.first();
        if (at < begun.length) {
            int length = (int) Math.min(begun.length - at, range.length());
            to.write(begun, (int) at, length);
            at += length;
        }
        while (at < range.end()) {
            byte[] content = next(output, name, at, range.end() - at);
            to.write(content);
            at += content.length;
        }
    }

    private byte[] next(JobOutput output, String name, long offset, long wanted) throws Broken {
        byte[] content;
        try {
            content = part(output, name, offset, wanted).content();
        } catch (RuntimeException e) {
            throw new Broken("cannot read on at byte " + offset, e);
        }
        if (content.length == 0) {
            throw new Broken("the file became shorter than " + offset + " bytes", null);
        }
        return content.length <= wanted ? content : java.util.Arrays.copyOf(content, (int) wanted);
    }

    private FilePart part(JobOutput output, String name, long offset, long wanted) {
        Path file = output.directory().resolve(name);
        return await(accounts.get(output.account(), file, offset, (int) Math.max(1, Math.min(PART, wanted))));
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new AccountCommandException(Code.BUSY, "no answer within " + PATIENCE.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AccountCommandException(Code.BUSY, "the CE is stopping");
        }
    }
}
