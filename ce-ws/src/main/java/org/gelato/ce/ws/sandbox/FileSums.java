package org.gelato.ce.ws.sandbox;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.account.AccountCommands.FilePart;
import org.gelato.ce.core.account.AccountCommands.FileVersion;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;
import org.gelato.ce.core.base.Sha256;

/**
 * Checksums of files, one for each version of a file: computed once for all who wait for it, piece by piece, and ended with the last
 * of them; who comes later goes on where it stopped. What passes through this process anyway, as an upload or a whole download, is
 * learned and not read for it again. Accounts take turns, and one whose files hang keeps up itself alone. At most two pieces are
 * read at a time and one thread computes, which waits for nothing. Thread-safe.
 */
final class FileSums {
    /** Of a checksum that is kept, or of a computation that was ended, at the most. */
    private static final int BYTES = 1024;

    private static final int MAX_READS = 2;
    private static final long IDLE_SECONDS = 5;

    private final SandboxFiles files;
    private final Executor worker;
    private final ByteBoundedCache<String, Sum> kept = new ByteBoundedCache<>(CacheShare.DIGESTS, (key, sum) -> BYTES);
    /** Those that somebody waits for, of whom each is a transfer, and those that are being read. */
    private final Map<String, Sum> wanted = new HashMap<>();
    /** What is to be read on, by account; the first has the next turn. */
    private final Map<String, Deque<Sum>> turns = new LinkedHashMap<>();
    /** Accounts of which a piece is being read. */
    private final Set<String> reading = new HashSet<>();

    FileSums(SandboxFiles files) {
        this(files, oneThread());
    }

    /** @param worker computes, one task at a time */
    FileSums(SandboxFiles files, Executor worker) {
        this.files = files;
        this.worker = worker;
    }

    private static Executor oneThread() {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "file-sums");
                    thread.setDaemon(true);
                    // Not that of the request which happens to be the first.
                    thread.setContextClassLoader(FileSums.class.getClassLoader());
                    return thread;
                });
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    /** How far a checksum is. While it is wanted the digest is the worker's. */
    private static final class Sum {
        private final String key;
        private final String account;
        private final Path file;
        private final long size;
        private final MessageDigest digest;
        private final CompletableFuture<byte[]> found = new CompletableFuture<>();
        private long at;
        private int waiting;

        Sum(String account, Path file, FileVersion version, MessageDigest digest, long at) {
            this.key = key(account, file, version);
            this.account = account;
            this.file = file;
            this.size = version.size();
            this.digest = digest;
            this.at = at;
        }

        boolean isComplete() {
            return at == size;
        }
    }

    private static String key(String account, Path file, FileVersion version) {
        return Sha256.hex(account + '\0' + file + '\0' + version.version());
    }

    /** What comes out when nothing is added. */
    static byte[] value(MessageDigest digest) {
        return copy(digest).digest();
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("SHA-256 of every Java platform can be copied", e);
        }
    }

    /** The checksum of a version, where it is known. */
    Optional<byte[]> known(String account, Path file, FileVersion version) {
        return state(account, file, version).map(MessageDigest::digest);
    }

    /** The same, to add to. */
    synchronized Optional<MessageDigest> state(String account, Path file, FileVersion version) {
        Sum sum = kept.get(key(account, file, version)).orElse(null);
        return sum == null || !sum.isComplete() ? Optional.empty() : Optional.of(copy(sum.digest));
    }

    /**
     * Learns the checksum of a version from one who has seen all its bytes.
     *
     * @param seen stays the caller's
     */
    synchronized void learn(String account, Path file, FileVersion version, MessageDigest seen) {
        Sum sum = new Sum(account, file, version, copy(seen), version.size());
        kept.put(sum.key, sum);
    }

    /** Has a checksum computed as long as somebody waits for it. */
    synchronized Asker ask(String account, Path file, FileVersion version) {
        String key = key(account, file, version);
        Sum sum = wanted.get(key);
        if (sum == null) {
            sum = kept.get(key).orElse(null);
            kept.remove(key);
            if (sum == null) {
                sum = new Sum(account, file, version, Sha256.begin(), 0);
            } else if (sum.isComplete()) {
                keep(sum);
                sum.found.complete(value(sum.digest));
                return new Asker(sum);
            }
            wanted.put(key, sum);
            queue(sum);
            worker.execute(this::readOn);
        }
        sum.waiting++;
        return new Asker(sum);
    }

    /** Somebody who waits for a checksum; closed when no more, once or more often. */
    final class Asker implements AutoCloseable {
        private final Sum sum;
        private boolean open = true;

        private Asker(Sum sum) {
            this.sum = sum;
        }

        /** The checksum; fails when the file cannot be read, or is another one meanwhile. */
        CompletableFuture<byte[]> found() {
            return sum.found;
        }

        @Override
        public void close() {
            synchronized (FileSums.this) {
                if (open) {
                    open = false;
                    sum.waiting--;
                    if (sum.waiting == 0 && unqueue(sum)) {
                        keep(sum);
                    }
                }
            }
        }
    }

    private void queue(Sum sum) {
        turns.computeIfAbsent(sum.account, account -> new ArrayDeque<>()).add(sum);
    }

    /** False for one that is being read, or known. */
    private boolean unqueue(Sum sum) {
        Deque<Sum> queue = turns.get(sum.account);
        boolean was = queue != null && queue.remove(sum);
        if (was && queue.isEmpty()) {
            turns.remove(sum.account);
        }
        return was;
    }

    private void keep(Sum sum) {
        wanted.remove(sum.key);
        kept.put(sum.key, sum);
    }

    /** Begins to read the pieces whose turn it is. By the worker. */
    private void readOn() {
        for (Sum next = next(); next != null; next = next()) {
            Sum sum = next;
            CompletableFuture<FilePart> piece;
            try {
                piece = files.piece(sum.account, sum.file, sum.at, sum.size - sum.at);
            } catch (RuntimeException e) {
                piece = CompletableFuture.failedFuture(e);
            }
            piece.whenComplete((part, failure) -> worker.execute(() -> {
                take(sum, part, failure);
                readOn();
            }));
        }
    }

    private synchronized Sum next() {
        if (reading.size() >= MAX_READS) {
            return null;
        }
        Optional<String> turn = turns.keySet().stream()
                .filter(account -> !reading.contains(account))
                .findFirst();
        if (turn.isEmpty()) {
            return null;
        }
        reading.add(turn.get());
        Deque<Sum> queue = turns.remove(turn.get());
        Sum sum = queue.remove();
        if (!queue.isEmpty()) {
            turns.put(turn.get(), queue);
        }
        return sum;
    }

    private void take(Sum sum, FilePart part, Throwable failure) {
        Throwable wrong = failure;
        if (part != null && (part.size() != sum.size || (part.content().length == 0 && sum.at < sum.size))) {
            wrong = new SandboxFiles.Broken("the file changed", null);
        }
        if (wrong == null) {
            sum.digest.update(part.content());
        }
        synchronized (this) {
            reading.remove(sum.account);
            if (wrong != null) {
                wanted.remove(sum.key);
            } else {
                sum.at += part.content().length;
                if (sum.isComplete() || sum.waiting == 0) {
                    keep(sum);
                } else {
                    queue(sum);
                }
            }
        }
        if (wrong != null) {
            sum.found.completeExceptionally(wrong);
        } else if (sum.isComplete()) {
            sum.found.complete(value(sum.digest));
        }
    }
}
