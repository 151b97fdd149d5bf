package org.gelato.ce.core.db.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.List;
import java.util.Optional;

/**
 * The local account the embedded server runs as. Only a process of root can and must choose one; any other shares its
 * own. Data that is there is served by its owner, whatever accounts the host has got since. For new data {@code daemon} comes
 * before {@code nobody}, because a demo maps grid users to the latter, and jobs must not own the database.
 *
 * @param name account to switch to; null to stay what this process is
 * @param principal of that account; null to stay
 */
record DatabaseAccount(String name, UserPrincipal principal) {
    private static final Path SELF = Path.of("/proc/self");
    private static final List<String> CANDIDATES = List.of("mysql", "daemon", "nobody");

    /**
     * The account for a directory of data.
     *
     * @param data need not exist
     * @throws IllegalStateException when the data belongs to root, or no account can be chosen, with what to do
     */
    static DatabaseAccount choose(Path data) {
        if (!isRoot()) {
            return new DatabaseAccount(null, null);
        }
        if (!Files.isDirectory(data)) {
            return first();
        }
        try {
            if (Integer.valueOf(0).equals(Files.getAttribute(data, "unix:uid"))) {
                String account = first().name();
                throw new IllegalStateException(
                        data + " belongs to root, as which the embedded database does not run; chown -R " + account
                                + " " + data);
            }
            UserPrincipal owner = Files.getOwner(data);
            return new DatabaseAccount(owner.getName(), owner);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot determine whose " + data + " is", e);
        }
    }

    private static DatabaseAccount first() {
        return CANDIDATES.stream()
                .flatMap(name -> lookup(name).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "the embedded database does not run as root, and none of the accounts " + CANDIDATES
                                + " exists; make an account mysql or set a database URL"));
    }

    private static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(SELF, "unix:uid"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot determine whether this process runs as root", e);
        }
    }

    private static Optional<DatabaseAccount> lookup(String name) {
        try {
            return Optional.of(new DatabaseAccount(
                    name,
                    Path.of("/").getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name)));
        } catch (UserPrincipalNotFoundException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look up the account " + name, e);
        }
    }

    /**
     * Whether a process runs as this account, or as that of this process, as which a server begins.
     *
     * @param process its directory in /proc
     */
    boolean mayRun(Path process) throws IOException {
        UserPrincipal owner = Files.getOwner(process);
        return owner.equals(principal) || owner.equals(Files.getOwner(SELF));
    }

    /** Makes a file or directory the account's own. */
    void own(Path file) throws IOException {
        if (principal != null) {
            Files.setOwner(file, principal);
        }
    }

    /** The first directory on the way to a path that the account cannot pass; empty when it can reach it. */
    Optional<Path> barrier(Path path) throws IOException {
        if (principal == null) {
            return Optional.empty();
        }
        for (Path at = path; at != null; at = at.getParent()) {
            if (Files.isDirectory(at)) {
                PosixFileAttributes attributes =
                        Files.readAttributes(at, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                boolean passable = attributes.permissions().contains(PosixFilePermission.OTHERS_EXECUTE)
                        || (attributes.owner().equals(principal)
                                && attributes.permissions().contains(PosixFilePermission.OWNER_EXECUTE));
                if (!passable) {
                    return Optional.of(at);
                }
            }
        }
        return Optional.empty();
    }
}
