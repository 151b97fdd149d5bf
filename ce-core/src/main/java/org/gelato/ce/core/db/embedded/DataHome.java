package org.gelato.ce.core.db.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The directory of an embedded server: its data, and beside them the lock, the passwords and the log. The lock is the
 * operating system's, so it is free again whenever its holder died; while one process holds it, no other one touches
 * what is inside. Used by one thread.
 */
final class DataHome implements AutoCloseable {
    private static final String DATA = "data";

    private final Path directory;
    private final DatabaseAccount account;
    private final FileChannel lock;

    private DataHome(Path directory, DatabaseAccount account, FileChannel lock) {
        this.directory = directory;
        this.account = account;
        this.lock = lock;
    }

    /**
     * Makes the directory when absent and locks it.
     *
     * @throws IllegalStateException when another process holds it, its data is root's, or the server's account cannot reach it
     */
    static DataHome open(Path wanted) throws IOException {
        Files.createDirectories(wanted);
        Path directory = wanted.toRealPath();
        DatabaseAccount account = DatabaseAccount.choose(directory.resolve(DATA));
        Files.setPosixFilePermissions(
                directory, PosixFilePermissions.fromString(account.name() == null ? "rwx------" : "rwx--x--x"));
        Path barrier = account.barrier(directory).orElse(null);
        if (barrier != null) {
            throw new IllegalStateException("the embedded database runs as account " + account.name()
                    + ", which cannot reach " + directory + " because of the permissions of " + barrier
                    + "; choose a home that other accounts can pass through, or set a database URL");
        }
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            // Who can read it can lock it.
            Files.setPosixFilePermissions(directory.resolve("lock"), PosixFilePermissions.fromString("rw-------"));
            FileLock held = channel.tryLock();
            if (held != null) {
                return new DataHome(directory, account, channel);
            }
        } catch (OverlappingFileLockException e) {
            // This process itself holds it: the same result.
        }
        channel.close();
        throw new IllegalStateException("the embedded database in " + directory + " is in use by another process");
    }

    DatabaseAccount account() {
        return account;
    }

    Path data() {
        return directory.resolve(DATA);
    }

    Path log() {
        return directory.resolve("mariadbd.log");
    }

    /** Where the server listens, alone: the data directory is closed to all accounts but its own. */
    Path socket() {
        return data().resolve("mariadb.sock");
    }

    /** Which process is the server, or makes its data ({@link LeftoverServers}). */
    Path record() {
        return directory.resolve("server.process");
    }

    /** SQL the server runs before it takes connections; is in the data directory, where the server may read it. */
    Path initFile() {
        return data().resolve("gelato-init.sql");
    }

    /** Where a new data directory grows before it gets its final name. */
    Path freshData() throws IOException {
        Path fresh = directory.resolve("data.new");
        MariaDbBinaries.deleteTree(fresh);
        makeOwned(fresh);
        return fresh;
    }

    /** Makes a directory only the server's account can enter. */
    void makeOwned(Path path) throws IOException {
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        account.own(path);
    }

    /** Writes a file only the server's account can read. */
    void writeOwned(Path path, String text) throws IOException {
        Files.deleteIfExists(path);
        Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(path, text);
        account.own(path);
    }

    /** Keeps the log of the run before as {@code mariadbd.log.1}. */
    void rotateLog() throws IOException {
        if (Files.exists(log())) {
            Files.move(log(), directory.resolve("mariadbd.log.1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** The password of a database user, made at first use and kept in a file only this process's account can read. */
    Password password(String user) throws IOException {
        Path file = directory.resolve("password-" + user);
        if (!Files.exists(file)) {
            byte[] random = new byte[24];
            new SecureRandom().nextBytes(random);
            Path fresh = directory.resolve("password-" + user + ".new");
            Files.deleteIfExists(fresh);
            Files.createFile(fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(fresh, Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
        String text = Files.readString(file).strip();
        if (text.isEmpty()) {
            throw new IOException("no password in " + file + "; remove the file to have a new one made");
        }
        return new Password(text);
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    /** A password that does not show itself. */
    record Password(String text) {
        /** What the server stores instead: SHA-1 twice, which is enough for 192 random bits. */
        String hash() {
            try {
                MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
                byte[] twice = sha1.digest(sha1.digest(text.getBytes(StandardCharsets.UTF_8)));
                return "*" + HexFormat.of().formatHex(twice).toUpperCase(Locale.ROOT);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has SHA-1", e);
            }
        }

        @Override
        public String toString() {
            return "Password[***]";
        }
    }
}
