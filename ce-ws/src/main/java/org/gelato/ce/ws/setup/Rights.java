package org.gelato.ce.ws.setup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;

/**
 * Owner, group and mode of a file. A process that is not root can only make files of its own, so owner and group count for
 * root alone.
 *
 * @param user name of the owner
 * @param group name of the group
 * @param mode such as {@code rw-r-----}
 */
record Rights(String user, String group, String mode) {
    private static final String ROOT = "root";

    static Rights root(String mode) {
        return new Rights(ROOT, ROOT, mode);
    }

    /** Whether this process is root. */
    static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot determine whether this process runs as root", e);
        }
    }

    /** The account of that name, or null. */
    static UserPrincipal account(String name) {
        try {
            return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name);
        } catch (UserPrincipalNotFoundException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look up the account " + name, e);
        }
    }

    /** The group of that name, or null. */
    static GroupPrincipal groupOf(String name) {
        try {
            return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByGroupName(name);
        } catch (UserPrincipalNotFoundException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look up the group " + name, e);
        }
    }

    /** Whether an account may read a file by its owner's, its own group's or everybody's right. */
    static boolean readable(Path file, String account) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
        return attributes.permissions().contains(PosixFilePermission.OTHERS_READ)
                || (attributes.permissions().contains(PosixFilePermission.GROUP_READ)
                        && attributes.group().getName().equals(account))
                || (attributes.permissions().contains(PosixFilePermission.OWNER_READ)
                        && attributes.owner().getName().equals(account));
    }

    /** Gives a file these rights. */
    void give(Path file) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (isRoot()) {
            view.setOwner(account(user));
            view.setGroup(groupOf(group));
        }
        view.setPermissions(PosixFilePermissions.fromString(mode));
    }

    /** Whether a file has these rights. */
    boolean has(Path file) throws IOException {
        PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
        boolean owned = !isRoot()
                || (attributes.owner().getName().equals(user)
                        && attributes.group().getName().equals(group));
        return owned && PosixFilePermissions.toString(attributes.permissions()).equals(mode);
    }

    @Override
    public String toString() {
        return mode + " " + user + ":" + group;
    }
}
