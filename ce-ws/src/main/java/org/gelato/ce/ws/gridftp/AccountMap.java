package org.gelato.ce.ws.gridftp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.gelato.ce.core.identity.AccountUseStore.AccountUse;
import org.gelato.ce.core.identity.DnForms;

/**
 * The grid-mapfile the GridFTP server reads at each connection: whom the CE has mapped, to which accounts, the one mapped
 * last first, without whom is banned. Written whole, beside and renamed into place, when it changes; the server sees the
 * old content or the new one. It holds nothing that is not also in the database, so a crash loses nothing. Thread-safe.
 */
final class AccountMap {
    private final Path file;
    private final Predicate<String> banned;
    private final Map<String, String> latest = new ConcurrentHashMap<>();
    private final Map<String, List<String>> accounts = new LinkedHashMap<>();
    private String written;

    /**
     * @param file its directory must exist
     * @param banned whether a DN (RFC 2253) is banned
     */
    AccountMap(Path file, Predicate<String> banned) {
        this.file = file;
        this.banned = banned;
    }

    /**
     * Maps a subject to an account, before any other account of it. When this returns, the file says so.
     *
     * @throws UncheckedIOException when the file can't be written; it will be tried again with the next call
     */
    void put(String dn, String account) {
        if (account.equals(latest.get(dn))) {
            return;
        }
        synchronized (this) {
            List<String> own = accounts.computeIfAbsent(dn, d -> new ArrayList<>());
            own.remove(account);
            own.add(0, account);
            write();
            latest.put(dn, account);
        }
    }

    /** Adds what was mapped earlier, behind what is known already. */
    synchronized void addOlder(List<AccountUse> newestFirst) {
        for (AccountUse use : newestFirst) {
            List<String> own = accounts.computeIfAbsent(use.dn(), d -> new ArrayList<>());
            if (!own.contains(use.account())) {
                own.add(use.account());
            }
        }
        write();
        accounts.forEach((dn, own) -> latest.putIfAbsent(dn, own.get(0)));
    }

    /** Writes the file again when bans have changed what belongs into it. */
    synchronized void refresh() {
        write();
    }

    private void write() {
        StringBuilder text = new StringBuilder("# Written by the CE; changes are overwritten.\n");
        accounts.forEach((dn, own) -> {
            if (!banned.test(dn)) {
                for (String name : names(dn)) {
                    text.append('"')
                            .append(name)
                            .append("\" ")
                            .append(String.join(",", own))
                            .append('\n');
                }
            }
        });
        String content = text.toString();
        if (content.equals(written)) {
            return;
        }
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.deleteIfExists(next);
            Files.writeString(next, content, StandardCharsets.US_ASCII);
            Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
        written = content;
    }

    /**
     * How the server may see a DN. It reads a backslash in the file as an escape, and versions differ in whether they see a
     * character that is not ASCII as such or as OpenSSL's {@code \xHH}: both are written.
     */
    private static Set<String> names(String dn) {
        String slash = DnForms.slash(dn).replace("\"", "\\\"");
        Set<String> names = new LinkedHashSet<>();
        names.add(slash.replace("\\x", "\\\\x"));
        names.add(slash);
        return names;
    }
}
