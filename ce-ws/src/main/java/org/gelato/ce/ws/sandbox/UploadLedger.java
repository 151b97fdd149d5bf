package org.gelato.ce.ws.sandbox;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.gelato.ce.ws.web.Refusal;

/**
 * Who writes what at the moment: one writer per file, and all writers of one side of a sandbox share its quota. The files on
 * the disk are counted when the first writer comes; from then on this counts, until the last one has gone. Of this
 * process alone: two nodes may overrun a quota by what each takes at the same time, and the helper's offsets keep their
 * writers apart. Thread-safe.
 */
final class UploadLedger {
    private static final int LOCKED = 423; // RFC 4918; the servlet interface does not name it

    private final UploadBudget budget;
    private final Map<SandboxSide, Account> accounts = new ConcurrentHashMap<>();

    UploadLedger(UploadBudget budget) {
        this.budget = budget;
    }

    /** The files on one side, and the folders among the names. */
    record Usage(long bytes, Set<String> names) {}

    private static final class Account {
        private final Set<String> writing = new HashSet<>();
        private Usage counted;
        private UploadBudget.Account bytes;
    }

    /**
     * Takes a name for writing.
     *
     * @param count counts what is there; called only for the first writer
     * @param maxBytes of all files together
     * @param maxFiles on this side
     * @throws Refusal 423 while another client writes it, 413 for one file too many
     */
    Entry open(SandboxSide side, String name, Supplier<Usage> count, long maxBytes, int maxFiles) {
        Account account = accounts.compute(side, (key, known) -> {
            Account a = known == null ? new Account() : known;
            if (a.writing.stream().anyMatch(other -> isBelow(name, other) || isBelow(other, name))) {
                throw new Refusal(LOCKED, "another request is writing this file, or one in a folder of its name");
            }
            a.writing.add(name);
            return a;
        });
        Entry entry = new Entry(side, name, account, maxBytes);
        try {
            entry.enter(count, maxFiles);
            return entry;
        } catch (RuntimeException e) {
            entry.close();
            throw e;
        }
    }

    /** Whether a path is another one or lies below it. */
    private static boolean isBelow(String path, String other) {
        return path.equals(other) || path.startsWith(other + "/");
    }

    /** The folders that a path lies in, the outermost first. */
    static List<String> folders(String path) {
        List<String> folders = new ArrayList<>();
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            folders.add(path.substring(0, slash));
        }
        return folders;
    }

    /** One writer's share; closed when it ends, however it does. */
    final class Entry implements AutoCloseable {
        private final SandboxSide side;
        private final String name;
        private final Account account;
        private final long maxBytes;
        /** Bytes of a complete file that goes when this writer's has come: they leave room already. */
        private long replaced;

        private Entry(SandboxSide side, String name, Account account, long maxBytes) {
            this.side = side;
            this.name = name;
            this.account = account;
            this.maxBytes = maxBytes;
        }

        private void enter(Supplier<Usage> count, int maxFiles) {
            synchronized (account) {
                if (account.counted == null) {
                    Usage usage = count.get();
                    account.counted = new Usage(usage.bytes(), new HashSet<>(usage.names()));
                    account.bytes = budget.open(side, usage.bytes());
                }
                Set<String> names = account.counted.names();
                Set<String> more = new HashSet<>(folders(name));
                more.add(name);
                more.removeAll(names);
                if (more.size() > maxFiles - names.size() && !more.isEmpty()) {
                    throw new Refusal(
                            413,
                            "the sandbox holds " + names.size() + " files, at most " + maxFiles
                                    + ", which folders count among");
                }
                names.addAll(more);
            }
        }

        /**
         * Counts bytes that are about to come, or to go when negative.
         *
         * @throws Refusal 413 or 507 when they do not fit, which then are not counted
         */
        void add(long bytes) {
            synchronized (account) {
                fitSide(bytes);
                account.bytes.add(bytes, replaced);
            }
        }

        /** The writer is to replace a complete file of so many bytes. */
        void replaces(long bytes) {
            replaced = bytes;
        }

        /** It has. */
        void replaced() {
            long gone = replaced;
            replaced = 0;
            add(-gone);
        }

        /** Bytes that came are on the disk, or will not be. */
        void written(long bytes) {
            account.bytes.written(bytes);
        }

        /** A folder, which this entry has the name of, has gone with all that lay below it. */
        void removed(long bytes) {
            synchronized (account) {
                account.counted.names().removeIf(other -> isBelow(other, name));
                account.bytes.add(-bytes, 0);
            }
        }

        /** Refuses as {@link #add} would. */
        void fit(long bytes) {
            synchronized (account) {
                fitSide(bytes);
                account.bytes.fit(bytes, replaced);
            }
        }

        private void fitSide(long bytes) {
            long has = account.bytes.bytes() - replaced;
            if (bytes > 0 && bytes > maxBytes - has) {
                throw new Refusal(
                        413, "the sandbox would hold at least " + (has + bytes) + " bytes, at most " + maxBytes);
            }
        }

        @Override
        public void close() {
            boolean[] last = new boolean[1];
            synchronized (account) {
                accounts.computeIfPresent(side, (key, a) -> {
                    last[0] = a.writing.remove(name) && a.writing.isEmpty();
                    return a;
                });
                if (last[0]) {
                    if (account.bytes != null) {
                        account.bytes.close();
                    }
                    // Who came meanwhile waits for this lock, and counts anew what was noted.
                    account.bytes = null;
                    account.counted = null;
                    accounts.computeIfPresent(side, (key, a) -> a.writing.isEmpty() ? null : a);
                }
            }
        }
    }
}
