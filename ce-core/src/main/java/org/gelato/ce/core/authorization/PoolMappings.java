package org.gelato.ce.core.authorization;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a gridmapdir held at one moment: a file per pool account, and the leases, which are further names of these files.
 * Symbolic links, directories and hidden names are no part of it. Immutable.
 *
 * @param modified of the directory, read before its entries were
 * @param taken when it was read
 * @param files by name
 * @param accounts name of the account file of each inode
 */
record PoolMappings(FileTime modified, Instant taken, NavigableMap<String, Entry> files, Map<Long, String> accounts) {
    /** What changed less than this before it was read, may change again unseen: clocks of file systems tick slowly. */
    private static final Duration TICK = Duration.ofSeconds(1);

    private static final int MAX_FILES = 200_000;
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,30}[0-9]");

    /**
     * A regular file.
     *
     * @param links names of it: 1 for a free account, 2 for a leased one
     * @param modified when the lease was used, as far as was noted
     * @param changed when a name was added or removed last, or later
     */
    record Entry(long inode, int links, FileTime modified, FileTime changed) {
        /** @throws IOException also when it is no regular file */
        static Entry of(Path file) throws IOException {
            Map<String, Object> a = Files.readAttributes(
                    file, "unix:ino,nlink,lastModifiedTime,ctime,isRegularFile", LinkOption.NOFOLLOW_LINKS);
            if (!Boolean.TRUE.equals(a.get("isRegularFile"))) {
                throw new IOException(file + " is no regular file");
            }
            return new Entry(
                    (Long) a.get("ino"), (Integer) a.get("nlink"), (FileTime) a.get("lastModifiedTime"), (FileTime)
                            a.get("ctime"));
        }
    }

    /** A lease and the account it is a name of. */
    record Lease(String name, String account, Entry entry) {}

    /** @throws IOException when the directory can't be read or holds too much */
    static PoolMappings read(Path directory, Instant now) throws IOException {
        FileTime modified = Files.getLastModifiedTime(directory);
        NavigableMap<String, Entry> files = new TreeMap<>();
        Map<Long, String> accounts = new HashMap<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(directory)) {
            for (Path file : names) {
                String name = file.getFileName().toString();
                boolean account = ACCOUNT.matcher(name).matches();
                if (!account && name.indexOf('%') < 0) { // in each name of a lease something is escaped
                    continue;
                }
                if (files.size() == MAX_FILES) {
                    throw new IOException("more than " + MAX_FILES + " files");
                }
                Optional<Entry> entry = entry(file);
                entry.ifPresent(e -> files.put(name, e));
                if (account && entry.isPresent()) {
                    accounts.merge(entry.get().inode(), name, PoolMappings::first);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return new PoolMappings(modified, now, files, accounts);
    }

    private static String first(String one, String other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Optional<Entry> entry(Path file) throws IOException {
        try {
            return Optional.of(Entry.of(file));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } catch (IOException e) {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Whether the directory may hold something else by now, given when it was modified last. */
    boolean outdated(FileTime modifiedLast) {
        return !modified.equals(modifiedLast) || young(modified);
    }

    /** Whether something changed so shortly before this table was taken that it may not have been the last change. */
    boolean young(FileTime changed) {
        return changed.toInstant().isAfter(taken.minus(TICK));
    }

    /**
     * The lease of a DN in a pool. Where there are several, that of the exact name wanted comes first, then the others in
     * the order of their names.
     *
     * @param name of the DN
     * @param wanted name a new lease would get
     */
    Optional<Lease> lease(String name, String pool, String wanted) {
        Collection<Map.Entry<String, Entry>> own =
                files.subMap(name, true, name + ";", false).entrySet(); // ';' follows ':'
        return own.stream()
                .filter(f -> PoolMappingName.belongs(f.getKey(), name))
                .filter(f -> inPool(accounts.get(f.getValue().inode()), pool))
                .map(f -> new Lease(f.getKey(), accounts.get(f.getValue().inode()), f.getValue()))
                .min(Comparator.comparing((Lease l) -> !l.name().equals(wanted)).thenComparing(Lease::name));
    }

    /** Account files of a pool without a lease, by name. */
    List<String> free(String pool) {
        return accounts(pool).filter(a -> files.get(a).links() == 1).toList();
    }

    /** Whether an account of a pool has more names than a lease needs, or got or lost one so lately that more may follow. */
    boolean isMoving(String pool) {
        return accounts(pool).map(files::get).anyMatch(e -> e.links() > 2 || young(e.changed()));
    }

    /** Number of account files of a pool. */
    long size(String pool) {
        return accounts(pool).count();
    }

    private Stream<String> accounts(String pool) {
        return files.subMap(pool, true, pool + ":", false).keySet().stream()
                .filter(a -> inPool(a, pool)); // ':' follows '9'
    }

    /** Whether an account is the pool's name and a number. */
    private static boolean inPool(String account, String pool) {
        return account != null
                && account.length() > pool.length()
                && account.startsWith(pool)
                && account.chars().skip(pool.length()).allMatch(c -> c >= '0' && c <= '9');
    }
}
