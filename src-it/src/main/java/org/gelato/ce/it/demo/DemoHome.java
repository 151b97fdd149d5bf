package org.gelato.ce.it.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

/**
 * Where the demo keeps its files. {@code target/demo} holds what the user reads; the CE's state is in it too, unless
 * another account must reach it and can't pass a directory above, as with a clone in root's home: then below {@code
 * /var/tmp}. Unpacked database programs stay there for the next run.
 */
final class DemoHome {
    private static final Path ELSEWHERE = Path.of("/var/tmp");
    /** Of a URL its last part counts, whatever its host. */
    private static final String PROGRAM = """
            #!/bin/sh
            # transfer FROM TO: of the demo; one of both is a URL, which stands for a file of this name in STORAGE
            set -eu
            place() {
                case $1 in
                    *://*) printf '%s/%s' 'STORAGE' "${1##*/}" ;;
                    *) printf '%s' "$1" ;;
                esac
            }
            cp -- "$(place "$1")" "$(place "$2")"
            """;

    private final Path source;
    private final Path directory;

    /** @param source the clone with the command {@code ce} */
    DemoHome(Path source) {
        this.source = source;
        this.directory = source.resolve("target").resolve("demo");
    }

    Path directory() {
        return directory;
    }

    Path command() {
        return source.resolve("ce");
    }

    Path pki() {
        return directory.resolve("pki");
    }

    Path proxy() {
        return directory.resolve("proxy.pem");
    }

    Path bearerToken() {
        return directory.resolve("token");
    }

    /** The public keys of the issuer of tokens. */
    Path issuerKeys() {
        return directory.resolve("issuer-keys.json");
    }

    Path gridmap() {
        return directory.resolve("grid-mapfile");
    }

    /** DNs of administrators. */
    Path administrators() {
        return directory.resolve("admin-list");
    }

    /** What {@code ce glue2} prints. */
    Path glue2() {
        return state().resolve("glue2.ldif");
    }

    /** Usage records on their way to APEL, where nobody sends them. */
    Path usageMessages() {
        return state().resolve("usage-messages");
    }

    Path configuration() {
        return directory.resolve("gelato.conf");
    }

    Path environmentFile() {
        return directory.resolve("env.sh");
    }

    Path log() {
        return directory.resolve("ce.log");
    }

    Path output() {
        return directory.resolve("output");
    }

    /** Names the running CE for {@code --stop}. */
    Path running() {
        return directory.resolve("running.properties");
    }

    /** State of the CE: database, keys. Made anew by each demo. */
    Path state() {
        return base().resolve("state");
    }

    /** Unpacked programs, kept between demos. */
    Path cache() {
        return base().resolve("cache");
    }

    Path sandbox() {
        return base().resolve("sandbox");
    }

    /** Stands for every server of URLs that wrappers do not transfer themselves. */
    Path storage() {
        return base().resolve("storage");
    }

    /** Copies between a file and such a URL. */
    Path transferProgram() {
        return base().resolve("transfer");
    }

    private Path base() {
        Path pointer = directory.resolve("base");
        try {
            return Files.exists(pointer) ? Path.of(Files.readString(pointer).strip()) : directory;
        } catch (IOException e) {
            throw new DemoException("can't read " + pointer + ": " + e.getMessage(), e);
        }
    }

    /** Makes the directories and removes what an earlier demo left. */
    void prepare(LocalAccount account) {
        try {
            Files.createDirectories(directory);
            Path base = directory;
            if (!account.isOwn() && !canBePassed(directory)) {
                base = privateDirectory(ELSEWHERE.resolve("gelato-demo-" + LocalAccount.ownUid() + "-" + token()));
            }
            Files.writeString(directory.resolve("base"), base + "\n");
            removeState();
            remove(output());
            // With a token the user has no proxy, and must not find one of an earlier demo.
            Files.deleteIfExists(proxy());
            Files.deleteIfExists(log());
            Files.createDirectories(state());
            Files.createDirectories(cache());
            Files.createDirectories(usageMessages());
            Files.setPosixFilePermissions(state(), PosixFilePermissions.fromString("rwx--x--x"));
            storage(storage(), transferProgram());
        } catch (IOException e) {
            throw new DemoException("can't prepare " + directory + ": " + e, e);
        }
    }

    static void storage(Path storage, Path program) throws IOException {
        Files.createDirectories(storage);
        Files.setPosixFilePermissions(storage, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(storage.resolve("hello.txt"), "Hello from the demo's storage\n");
        Files.writeString(program, PROGRAM.replace("STORAGE", storage.toString().replace("'", "'\\''")));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Removes the CE's state and what points to it; log and fetched output stay. */
    void removeState() {
        try {
            remove(state());
            remove(sandbox());
            Files.deleteIfExists(environmentFile());
            Files.deleteIfExists(bearerToken());
            Files.deleteIfExists(running());
        } catch (IOException e) {
            throw new DemoException("can't remove the demo's state: " + e, e);
        }
    }

    private static boolean canBePassed(Path path) throws IOException {
        for (Path at = path.toRealPath(); at != null; at = at.getParent()) {
            if (!Files.getPosixFilePermissions(at).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                return false;
            }
        }
        return true;
    }

    /** A name of its own for each clone. */
    private String token() {
        return UUID.nameUUIDFromBytes(directory.toString().getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
    }

    /** Any account can make directories in /var/tmp: one that is not wholly ours is not used. */
    private static Path privateDirectory(Path path) throws IOException {
        try {
            Files.createDirectory(path);
        } catch (FileAlreadyExistsException e) {
            PosixFileAttributes found =
                    Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            boolean ours = found.isDirectory()
                    && Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                            .equals(LocalAccount.ownUid())
                    && !found.permissions().contains(PosixFilePermission.OTHERS_WRITE)
                    && !found.permissions().contains(PosixFilePermission.GROUP_WRITE);
            if (!ours) {
                throw new DemoException(path + " exists and belongs to another account: remove it", e);
            }
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
        return path;
    }

    private static void remove(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
