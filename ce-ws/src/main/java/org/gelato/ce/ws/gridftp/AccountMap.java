package org.gelato.ce.ws.gridftp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.gelato.ce.core.identity.AccountUseStore.AccountUse;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Mappings;

/**
 * The grid-mapfile the GridFTP server reads at each connection: whom the CE has mapped and the site's files still map, to which
 * accounts, the one mapped last first. Written whole, beside and renamed into place, when it changes; the server sees the
 * old content or the new one. It holds nothing that is not also in the database, so a crash loses nothing. Thread-safe.
 */
final class AccountMap {
    private static final int MAX_FQANS = 200;

    private final Path file;
    private final Supplier<Mappings> mappings;
    private final Map<String, Use> latest = new ConcurrentHashMap<>();
    private final Map<String, List<Use>> uses = new LinkedHashMap<>();
    private Mappings judged;
    private String written;

    /** An account a user was given, by which attributes, and whether the user would still get it. */
    private static final class Use {
        private final String account;
        private final Set<String> fqans = ConcurrentHashMap.newKeySet();
        private boolean holds;

        Use(String account) {
            this.account = account;
        }

        void add(Collection<String> more) {
            more.stream().limit(MAX_FQANS - Math.min(MAX_FQANS, fqans.size())).forEach(fqans::add);
        }
    }

    /**
     * @param file its directory must exist
     * @param mappings whom the site's files map at the moment of the call; the same object as long as they stay
     */
    AccountMap(Path file, Supplier<Mappings> mappings) {
        this.file = file;
        this.mappings = mappings;
    }

    /**
     * Maps a subject who has just been authorized to an account, before any other account of it. When this returns, the
     * file has it.
     *
     * @throws UncheckedIOException when the file can't be written; it will be tried again with the next call
     */
    void put(String dn, Collection<String> fqans, String account) {
        Use last = latest.get(dn);
        if (last != null && last.account.equals(account) && last.fqans.containsAll(fqans)) {
            return;
        }
        synchronized (this) {
            List<Use> own = uses.computeIfAbsent(dn, d -> new ArrayList<>());
            Use use = find(own, account);
            own.remove(use);
            own.add(0, use);
            use.add(fqans);
            use.holds = true;
            judged = null; // The files may have changed since he was authorized.
            write();
            latest.put(dn, use);
        }
    }

    /** Adds what was mapped earlier and still is, behind what is known already. */
    synchronized void addOlder(List<AccountUse> newestFirst) {
        for (AccountUse older : newestFirst) {
            List<Use> own = uses.computeIfAbsent(older.dn(), d -> new ArrayList<>());
            Use use = find(own, older.account());
            use.add(older.fqans());
            if (!own.contains(use)) {
                own.add(use);
            }
        }
        judged = null;
        refresh();
    }

    private static Use find(List<Use> own, String account) {
        return own.stream().filter(u -> u.account.equals(account)).findFirst().orElseGet(() -> new Use(account));
    }

    /** Writes the file again when the site's files have changed what belongs into it. */
    synchronized void refresh() {
        // Queried under the lock: users put before were authorized before, so the leases of their accounts are seen.
        Mappings present = mappings.get();
        if (present != judged) {
            uses.forEach((dn, own) -> {
                own.forEach(use -> use.holds = present.hold(dn, use.fqans, use.account));
                if (own.get(0).holds) {
                    latest.put(dn, own.get(0));
                } else {
                    latest.remove(dn);
                }
            });
            judged = present;
        }
        write();
    }

    private void write() {
        StringBuilder text = new StringBuilder("# Written by the CE; changes are overwritten.\n");
        uses.forEach((dn, own) -> {
            String accounts =
                    own.stream().filter(u -> u.holds).map(u -> u.account).collect(Collectors.joining(","));
            if (!accounts.isEmpty()) {
                for (String name : names(dn)) {
                    text.append('"').append(name).append("\" ").append(accounts).append('\n');
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
