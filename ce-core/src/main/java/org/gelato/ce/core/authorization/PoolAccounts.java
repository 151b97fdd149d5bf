package org.gelato.ce.core.authorization;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.gelato.ce.core.authorization.PoolMappings.Entry;
import org.gelato.ce.core.authorization.PoolMappings.Lease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accounts of pools, leased by hard links in a gridmapdir, which other CEs, file servers and LCMAPS may share. Called by
 * request threads: a known lease is returned from memory, only a first mapping touches the disk. {@link #refresh} is for
 * the scheduler: it reads the directory again when it has changed and renews the times of leases in use, by which recycling
 * tools recognize the idle ones.
 *
 * <p>A lease is made as other software makes it: link a free account's file under the lease's name, read the link count,
 * and take the name back when another process linked the same file meanwhile. The link is the one moment that counts, so
 * a crash leaves either no lease or a whole one.
 */
final class PoolAccounts {
    /** Leases used more often get a new time only this often. */
    static final Duration TOUCH = Duration.ofHours(1);

    private static final Logger log = LoggerFactory.getLogger(PoolAccounts.class);
    private static final int ROUNDS = 50;
    private static final int MAX_GROUPS = 4;
    private static final Duration SETTLING = Duration.ofMillis(20);

    private final Path directory;
    private final Function<String, String> objection;
    private final Clock clock;
    private final Map<String, Long> settled = new ConcurrentHashMap<>();
    private final Map<String, Instant> touched = new ConcurrentHashMap<>();
    private final Map<String, Boolean> used = new ConcurrentHashMap<>();
    private final Map<String, String> objections = new ConcurrentHashMap<>();
    private final Map<String, String> troubles = new ConcurrentHashMap<>();
    private volatile PoolMappings table;

    /** No user gets an account; the text names pool and directory and why. */
    static final class Unavailable extends Exception {
        private static final long serialVersionUID = 1L;

        Unavailable(String reason) {
            super(reason);
        }
    }

    /**
     * What {@link #find} found.
     *
     * @param account leased, or the one a first mapping would try first
     * @param file of the lease
     * @param leased whether the lease is there
     */
    record Found(String account, Path file, boolean leased) {}

    /** @param objection why no user may be mapped to an account, empty when there is no objection; may query the host */
    PoolAccounts(Path directory, Function<String, String> objection, Clock clock) {
        this.directory = directory;
        this.objection = objection;
        this.clock = clock;
        refresh();
    }

    /**
     * The account of a DN in a pool, leased now if it has none.
     *
     * @param byFqan whether attributes led to the pool; a lease made for them carries the pool's name as its group
     */
    String account(String dn, String pool, boolean byFqan) throws Unavailable {
        String name = PoolMappingName.of(dn);
        String wanted = byFqan ? name + ":" + pool : name;
        PoolMappings known = table;
        if (known != null) {
            Optional<Lease> lease = known.lease(name, pool, wanted).filter(l -> sure(known, l));
            if (lease.isPresent()) {
                return use(lease.get());
            }
        }
        try {
            String account = firstMapping(name, pool, wanted);
            fine(pool);
            return account;
        } catch (IOException e) {
            throw trouble(pool, text(pool, reason(e)));
        }
    }

    /** What {@link #account} would do, without doing it. */
    Found find(String dn, String pool, boolean byFqan) throws Unavailable {
        String name = PoolMappingName.of(dn);
        String wanted = byFqan ? name + ":" + pool : name;
        try {
            PoolMappings now = PoolMappings.read(directory, clock.instant());
            Optional<Lease> lease = now.lease(name, pool, wanted);
            if (lease.isPresent()) {
                single(lease.get());
                acceptable(lease.get().account());
                return new Found(
                        lease.get().account(), directory.resolve(lease.get().name()), true);
            }
            String file = newName(now, wanted, pool);
            return usable(now, pool).stream()
                    .findFirst()
                    .map(account -> new Found(account, directory.resolve(file), false))
                    .orElseThrow(() -> new Unavailable(exhausted(now, pool)));
        } catch (IOException e) {
            throw new Unavailable(text(pool, reason(e)));
        }
    }

    /** Reads the directory and renews the times of the leases used since. */
    void refresh() {
        try {
            current();
            fine("");
        } catch (IOException e) {
            trouble("", "can't be read: " + reason(e));
        }
        objections.values().removeIf(why -> !why.isEmpty());
        used.keySet().removeIf(lease -> {
            touch(lease);
            return true;
        });
    }

    /** What is leased now; what was read last when the directory can't be read, null when it never could. */
    PoolMappings leases() {
        try {
            return current();
        } catch (IOException e) {
            return table;
        }
    }

    private synchronized PoolMappings current() throws IOException {
        PoolMappings known = table;
        if (known == null || known.outdated(Files.getLastModifiedTime(directory))) {
            PoolMappings fresh = PoolMappings.read(directory, clock.instant());
            settled.keySet().retainAll(fresh.files().keySet());
            touched.keySet().retainAll(fresh.files().keySet());
            objections.clear();
            table = fresh;
            return fresh;
        }
        return known;
    }

    private synchronized String firstMapping(String name, String pool, String wanted) throws IOException, Unavailable {
        for (int round = 0; round < ROUNDS; round++) {
            PoolMappings now = current();
            Optional<Lease> lease = now.lease(name, pool, wanted);
            if (lease.isPresent()) {
                if (!now.young(lease.get().entry().changed())) {
                    single(lease.get());
                }
                if (sure(now, lease.get()) || settles(lease.get())) {
                    return use(lease.get());
                }
            } else {
                List<String> free = usable(now, pool);
                // Two who were about to take the same account may both give it back a moment later.
                if (free.isEmpty() && (round == ROUNDS - 1 || !now.isMoving(pool))) {
                    throw trouble(pool, exhausted(now, pool));
                }
                Optional<Lease> made = free.isEmpty() ? Optional.empty() : make(newName(now, wanted, pool), free);
                if (made.isPresent()) {
                    return use(made.get());
                }
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SETTLING.toNanos()));
        }
        throw trouble(pool, text(pool, "others lease and return accounts too fast"));
    }

    private List<String> usable(PoolMappings in, String pool) {
        return in.free(pool).stream().filter(a -> objects(a).isEmpty()).toList();
    }

    /** Takes one of these accounts; empty when others were faster. */
    private Optional<Lease> make(String leaseName, List<String> free) throws IOException {
        Path lease = directory.resolve(leaseName);
        for (String account : free) {
            try {
                Files.createLink(lease, directory.resolve(account));
            } catch (FileAlreadyExistsException | NoSuchFileException faster) {
                // The same user came through another service, or the account was removed from the pool: read again.
                return Optional.empty();
            }
            Entry entry = Entry.of(lease);
            if (entry.links() == 2) {
                settled.put(leaseName, entry.inode());
                log.info("{}: {} is leased to {}", directory, account, leaseName);
                return Optional.of(new Lease(leaseName, account, entry));
            }
            Files.delete(lease);
        }
        return Optional.empty();
    }

    /** The first name that is not taken by a lease in another pool. */
    private String newName(PoolMappings now, String wanted, String pool) throws Unavailable {
        String name = wanted;
        for (int groups = 0; groups < MAX_GROUPS && now.files().containsKey(name); groups++) {
            name = name + ":" + pool;
        }
        if (name.length() > PoolMappingName.MAX_LENGTH) {
            throw new Unavailable(text(pool, "the DN is too long for a file name"));
        }
        return name;
    }

    /** Whether a lease read from the directory can't be taken back any more by who made it. */
    private boolean sure(PoolMappings in, Lease lease) {
        return lease.entry().links() == 2
                && (!in.young(lease.entry().changed())
                        || Long.valueOf(lease.entry().inode()).equals(settled.get(lease.name())));
    }

    /** Two equal readings, further apart than any process needs to count links and take a name back. */
    private boolean settles(Lease lease) throws IOException {
        LockSupport.parkNanos(SETTLING.toNanos());
        try {
            Entry again = Entry.of(directory.resolve(lease.name()));
            boolean same = again.inode() == lease.entry().inode() && again.links() == 2;
            if (same) {
                settled.put(lease.name(), again.inode());
            }
            return same;
        } catch (NoSuchFileException takenBack) {
            return false;
        }
    }

    private String use(Lease lease) throws Unavailable {
        acceptable(lease.account());
        used.put(lease.name(), Boolean.TRUE);
        return lease.account();
    }

    private void acceptable(String account) throws Unavailable {
        String why = objects(account);
        if (!why.isEmpty()) {
            throw new Unavailable("pool account " + account + " of " + directory + " can't be used: " + why);
        }
    }

    private void single(Lease lease) throws Unavailable {
        if (lease.entry().links() > 2) {
            throw new Unavailable("pool account " + lease.account() + " of " + directory
                    + " can't be used: it is leased more than once, "
                    + lease.entry().links() + " names are links to it");
        }
    }

    /**
     * An objection is remembered until the next reading, its absence as long as the directory stays: the query may be
     * slow.
     */
    private String objects(String account) {
        String known = objections.get(account);
        if (known == null) {
            known = objection.apply(account);
            objections.put(account, known);
            if (known.isEmpty()) {
                fine("account " + account);
            } else {
                trouble("account " + account, "account " + account + " can't be used: " + known);
            }
        }
        return known;
    }

    private void touch(String lease) {
        Instant now = clock.instant();
        PoolMappings known = table;
        Entry entry = known == null ? null : known.files().get(lease);
        Instant last = touched.getOrDefault(
                lease, entry == null ? Instant.MIN : entry.modified().toInstant());
        if (now.isBefore(last.plus(TOUCH))) {
            return;
        }
        try {
            Files.setLastModifiedTime(directory.resolve(lease), FileTime.from(now));
            touched.put(lease, now);
            fine("times");
        } catch (NoSuchFileException recycled) {
            log.info("{}: lease {} is gone", directory, lease);
        } catch (IOException e) {
            trouble(
                    "times",
                    "the time of lease " + lease + " can't be renewed, tools may take it for idle: " + reason(e));
        }
    }

    private String exhausted(PoolMappings now, String pool) {
        long size = now.size(pool);
        if (size == 0) {
            return text(pool, "there is no file named " + pool + " and a number");
        }
        int unusable = now.free(pool).size();
        return text(
                pool,
                unusable == 0
                        ? "all " + size + " are leased"
                        : (size - unusable) + " of " + size + " are leased, and this host can't use the others");
    }

    private String text(String pool, String reason) {
        return "no account of pool " + pool + " in " + directory + ": " + reason;
    }

    /** One ERROR per change of state; the exception is for the caller. */
    private Unavailable trouble(String what, String text) {
        if (!text.equals(troubles.put(what, text))) {
            log.error("gridmapdir {}: {}", directory, text);
        }
        return new Unavailable(text);
    }

    private void fine(String what) {
        if (troubles.remove(what) != null) {
            log.info("gridmapdir {}: {} valid again", directory, what.isEmpty() ? "all" : what);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "the directory does not exist";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NotDirectoryException) {
            return "it is no directory";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
