package org.gelato.ce.core.account;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Work done as a local account: commands and file work below the sandbox root. The JVM has no privilege; an implementation
 * talks to one that has (the helper). All calls return at once; the futures complete on a thread of the channel, so
 * dependants must be quick or move on to their own executor. A future fails with {@link AccountCommandException} when
 * the work was refused or failed, and with {@link ChannelLostException} when its fate is unknown.
 */
public interface AccountCommands {
    /** The account name that means the helper's own account, for commands that belong to no user. */
    String SELF = "-";

    /** Runs a command and waits for its end; {@link Run#files} are written and {@link Run#cwd} is made first. */
    CompletableFuture<Completed> run(String account, Run run);

    /**
     * Runs a command whose standard output may be long: it is taken in pieces while the command runs, and the command waits
     * for the consumer. As {@link #run}, but stdout of the result is empty and {@link Run#maxOutput} does not count.
     *
     * @param work takes the pieces, one at a time and in order
     * @param pieces gets each piece, never empty; when it throws, the command is killed and the future fails with that
     * @return how it ended; fails with {@code FAILED} when the output was truncated, and then reports so
     */
    CompletableFuture<Completed> stream(String account, Run run, Executor work, Consumer<byte[]> pieces);

    /**
     * Sends a request to a daemon of the account, which the helper starts on demand and keeps (docs/developer/helper.md, services of
     * accounts). Nothing was done when the future fails with {@link AccountCommandException}.
     *
     * @return the response; its status is {@link HttpResponse#UNKNOWN} when the request was sent and got no whole response
     */
    CompletableFuture<HttpResponse> http(String account, HttpCall call);

    /**
     * Starts a command detached, in its own session, and returns its process id at once. It outlives the helper.
     * Output goes to {@code stdout}/{@code stderr} files below the sandbox root.
     */
    CompletableFuture<Long> spawn(String account, Spawn spawn);

    /** Sends a signal to a process group started by {@link #spawn}; completes normally when it is gone already. */
    CompletableFuture<Void> signal(String account, long pid, int signal);

    /** Makes a directory and its parents, 0700, owned by the account; existing ones are fine. */
    CompletableFuture<Void> makeDirectory(String account, Path directory);

    /** Writes a file whole or not at all (temporary name, rename). */
    CompletableFuture<Void> put(String account, FileContent file);

    /**
     * Reads part of a regular file.
     *
     * @param offset bytes to skip
     * @param max bytes to read at the most, 1 to 1 MiB
     * @return the bytes read and the size of the file; fails with {@code NO_SUCH_FILE} when there is none, and with
     *     {@link NotPlainFileException} when it can never be read
     */
    CompletableFuture<FilePart> get(String account, Path file, long offset, int max);

    /** Regular files directly in a directory, at most {@code max}; an absent directory lists as empty. */
    CompletableFuture<List<FileEntry>> list(String account, Path directory, int max);

    /**
     * Regular files and directories below a directory; links and what is neither are left out.
     *
     * @param depth levels, 1 to 16; 1 for what lies directly in the directory
     * @param max entries at the most, up to 10 000
     * @return fails with {@code NO_SUCH_FILE} when there is no such directory
     */
    CompletableFuture<Tree> tree(String account, Path directory, int depth, int max);

    /**
     * Regular files directly in a directory with their content; larger ones than {@code maxBytes} come cut. What else is
     * there and no directory can never be collected and is removed.
     */
    CompletableFuture<List<FileContent>> collect(String account, Path directory, int maxFiles, int maxBytes);

    /** Removes files directly in a directory; absent ones are fine. */
    CompletableFuture<Void> discard(String account, Path directory, List<String> names);

    /** Renames within the sandbox root, making the target's parent; an absent source is fine. */
    CompletableFuture<Void> renameAway(String account, Path from, Path to);

    /** Removes a tree without following links; an absent one is fine. */
    CompletableFuture<Void> remove(String account, Path tree);

    /**
     * Adds bytes at the end of a regular file, all or none. At offset 0 the file is made, 0600, with its parents.
     *
     * @param offset the size the file must have, in bytes; fails with {@link OtherSizeException} when it has another, so that
     *     the repetition of a request whose response was lost adds nothing twice
     * @param bytes at most 1 MiB; none makes an empty file
     * @return the new size; fails with {@link DiskFullException} when there is no room
     */
    CompletableFuture<Long> append(String account, Path file, long offset, byte[] bytes);

    /**
     * Gives a file written by {@link #append} its name, replacing what has it; it is on the disk before.
     *
     * @param size bytes it must have; fails with {@link OtherSizeException} otherwise
     */
    CompletableFuture<Void> finish(String account, Path part, Path file, long size);

    /**
     * Size and version of a regular file; fails with {@code NO_SUCH_FILE} when there is none, and with
     * {@link NotPlainFileException} when a directory or a pipe has the name.
     */
    CompletableFuture<FileVersion> stat(String account, Path file);

    /** Completes when the helper responds. */
    CompletableFuture<Void> ping();

    /**
     * A command to run.
     *
     * @param argv absolute program and arguments
     * @param cwd working directory, made when absent; null for the root directory
     * @param environment the whole environment of the command
     * @param stdin fed to the command; empty for none
     * @param files written before the command starts; a failure to write one fails the whole run before the start
     * @param timeout after it the process group is killed and {@link Completed#timedOut} set
     * @param maxOutput bytes kept of each of stdout and stderr
     */
    record Run(
            List<String> argv,
            Path cwd,
            Map<String, String> environment,
            byte[] stdin,
            List<FileContent> files,
            Duration timeout,
            int maxOutput) {}

    /**
     * A request to a daemon of an account.
     *
     * @param service its name in the helper's configuration
     * @param directory made when absent, before the request is sent; null for none
     * @param method GET, POST, PUT, DELETE or PATCH
     * @param target path with query, printable ASCII without blanks, at most 1024 characters
     * @param body JSON; empty for none
     * @param timeout for the start of the daemon, the sending and the response together
     * @param maxResponse bytes of the response's body; a longer one counts as none
     * @param mayBeMissing whether the request asks if the daemon has the target, so that HTTP status 404 is no failure
     */
    record HttpCall(
            String service,
            Path directory,
            String method,
            String target,
            byte[] body,
            Duration timeout,
            int maxResponse,
            boolean mayBeMissing) {
        /** Of a target that must be there. */
        public HttpCall(
                String service,
                Path directory,
                String method,
                String target,
                byte[] body,
                Duration timeout,
                int maxResponse) {
            this(service, directory, method, target, body, timeout, maxResponse, false);
        }
    }

    /**
     * What a daemon of an account answered.
     *
     * @param status of HTTP, or {@link #UNKNOWN}
     * @param body as sent; with {@link #UNKNOWN} what happened, as UTF-8
     */
    record HttpResponse(int status, byte[] body) {
        /** Nobody knows whether the daemon carried the request out. */
        public static final int UNKNOWN = 0;
    }

    /** A command to start detached; fields as in {@link Run}. */
    record Spawn(
            List<String> argv,
            Path cwd,
            Map<String, String> environment,
            List<FileContent> files,
            Path stdout,
            Path stderr) {}

    /**
     * How a command ended.
     *
     * @param exit exit status, or 128 + signal
     * @param timedOut whether it was killed for its timeout
     * @param dropped bytes of stdout that were not kept, being over a bound: 0 when stdout is complete
     */
    record Completed(int exit, boolean timedOut, String stdout, String stderr, long dropped) {
        /** One of which everything was kept. */
        public Completed(int exit, boolean timedOut, String stdout, String stderr) {
            this(exit, timedOut, stdout, stderr, 0);
        }
    }

    /** A file: where, permission bits (for example 0600), content. In listings the name alone stands in the path. */
    record FileContent(Path path, int mode, byte[] content) {}

    /** Part of a file and the size of the whole. */
    record FilePart(byte[] content, long size) {}

    /**
     * What a file is at one moment.
     *
     * @param size bytes
     * @param version differs whenever the content may differ: made of inode, size and time of the last change
     * @param modified when its content was changed last, in seconds of the epoch, as its account has it
     */
    record FileVersion(long size, String version, long modified) {}

    /** A regular file's name and size. */
    record FileEntry(String name, long size) {}

    /**
     * What lies below a directory, in no order.
     *
     * @param cut whether it is not all, because there is more than was wanted or can be listed at once
     */
    record Tree(List<TreeEntry> entries, boolean cut) {
        /** A tree without entries, read whole. */
        public static final Tree EMPTY = new Tree(List.of(), false);
    }

    /**
     * A regular file or a directory.
     *
     * @param path from the listed directory on, its parts separated by slashes
     * @param size bytes; {@link #DIRECTORY} for a directory
     * @param modified when its content was changed last, in seconds of the epoch, as its account has it; {@link #UNKNOWN} for what is no file
     */
    record TreeEntry(String path, long size, long modified) {
        /** Instead of a size. */
        public static final long DIRECTORY = -1;

        /** Instead of a time. */
        public static final long UNKNOWN = Long.MIN_VALUE;

        public TreeEntry(String path, long size) {
            this(path, size, UNKNOWN);
        }

        /** Whether it is a directory. */
        public boolean isDirectory() {
            return size == DIRECTORY;
        }
    }
}
