package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.blahbridge.TrustedPath;

/**
 * Where a command of root makes and reads files: all the way from {@code /} directories and links belong to root and nobody else may
 * write, so that nobody leads it elsewhere by a link or changes what it reads; in directories such as {@code /tmp} those that root made.
 * The helper has the same rule ({@link TrustedPath}). Another account's commands have no more rights than their caller, and may work
 * anywhere. Functions without state.
 */
public final class RootsPlace {
    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwxr-xr-x");

    private RootsPlace() {}

    /** Why root makes nothing in a directory, with what to do; empty for nothing. What is not there yet would be root's. */
    static Optional<String> directoryFault(Path directory) {
        return fault("root makes no files in " + directory, TrustedPath.ofDirectory(directory));
    }

    /** Why root does not use a file that another account could have put there; empty for nothing. */
    static Optional<String> fileFault(Path file) {
        return fault("root does not use " + file, TrustedPath.ofFile(file));
    }

    /** @throws SetupException with {@link #directoryFault} */
    public static void directory(Path directory) {
        directoryFault(directory).ifPresent(RootsPlace::refuse);
    }

    /** @throws SetupException with {@link #fileFault} */
    public static void file(Path file) {
        fileFault(file).ifPresent(RootsPlace::refuse);
    }

    /**
     * Makes a directory and those above it, where they are not there; nobody but the owner may write.
     *
     * @throws SetupException with {@link #directoryFault}
     * @throws IOException also where another one puts something into its place meanwhile
     */
    static void make(Path directory) throws IOException {
        directory(directory);
        Deque<Path> missing = new ArrayDeque<>();
        for (Path at = directory.toAbsolutePath(); at != null && !Files.exists(at); at = at.getParent()) {
            missing.push(at);
        }
        for (Path next : missing) {
            Files.createDirectory(next, PosixFilePermissions.asFileAttribute(OWNERS));
        }
        directory(directory);
    }

    private static Optional<String> fault(String refusal, Optional<TrustedPath.Fault> found) {
        if (!Rights.isRoot()) {
            return Optional.empty();
        }
        return found.map(fault -> refusal + ", as another account could lead it elsewhere: " + fault.place() + " "
                + fault.what() + (fault.mode().isEmpty() ? "" : ", its mode is " + fault.mode())
                + "; name another place" + (fault.command().isEmpty() ? "" : ", or run: " + fault.command()));
    }

    private static void refuse(String fault) {
        throw new SetupException(fault);
    }
}
