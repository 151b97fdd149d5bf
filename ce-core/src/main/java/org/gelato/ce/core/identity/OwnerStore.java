package org.gelato.ce.core.identity;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.RouteSettings;
import org.jdbi.v3.core.Handle;

/**
 * Numbers of subjects, owners, accounts, queues and settings of routes. Rows are made on first sight and never removed, so a number that is cached is
 * right. Each lookup that misses is a
 * transaction of its own, so call it before opening one. Thread-safe.
 */
public final class OwnerStore {
    private static final int MAX_NAME = 255;

    private final Database database;
    private final AccountingGroups groups;
    private final ByteBoundedCache<List<String>, Integer> cache =
            new ByteBoundedCache<>(CacheShare.OWNERS, (names, row) -> ByteBoundedCache.weight(names));
    /** By the owner's number; the empty text for none. */
    private final ByteBoundedCache<Integer, String> vos =
            new ByteBoundedCache<>(CacheShare.VOS, (owner, vo) -> ByteBoundedCache.weight(vo));

    /** With jobs of tokens accounted to no VO. */
    public OwnerStore(Database database) {
        this(database, AccountingGroups.NONE);
    }

    /** @param groups under which jobs are accounted */
    public OwnerStore(Database database, AccountingGroups groups) {
        this.database = database;
        this.groups = groups;
    }

    /** The number of a user or service. */
    public int subject(Identity identity) {
        return numbered(
                List.of("subject", identity.kind().name(), identity.subject()),
                "SELECT id FROM subject WHERE kind = ? AND dn_hash = ?",
                "INSERT IGNORE INTO subject (kind, dn_hash, dn) VALUES (?, ?, ?)",
                List.of(identity.kind().code(), Sha256.of(identity.subject())),
                identity.subject());
    }

    /**
     * The number of a subject under its group and VO. The VO of a token may become another one, as the site configures its issuer: what was
     * registered before stays with the owner before.
     *
     * @throws ServiceException.NotAuthorized for a group or VO longer than its column
     */
    public int owner(Identity identity) {
        if (identity.group().length() > MAX_NAME
                || (identity.vo() != null && identity.vo().length() > MAX_NAME)) {
            // INSERT IGNORE would cut it, and two owners could become one.
            throw new ServiceException.NotAuthorized(
                    "Authorization failure: the primary FQAN is longer than " + MAX_NAME + " characters");
        }
        int subject = subject(identity);
        String vo = identity.vo() == null ? "" : identity.vo();
        return numbered(
                List.of("owner", identity.kind().name(), identity.subject(), identity.group(), vo),
                "SELECT id FROM owner WHERE subject_id = ? AND fqan = ? AND vo_key = ?",
                "INSERT IGNORE INTO owner (subject_id, fqan, vo) VALUES (?, ?, NULLIF(?, ''))",
                List.of(subject, identity.group(), vo));
    }

    /** The numbers of all owners that a subject has been, under one group or another; by the number of the subject. */
    public List<Integer> ofSubject(Handle h, int subject) {
        return h.select("SELECT id FROM owner WHERE subject_id = ?", subject)
                .mapTo(Integer.class)
                .list();
    }

    /** The VO of an owner, by its number; empty without one, and for a number that no owner has. */
    public Optional<String> vo(int owner) {
        String known = vos.get(owner).orElse(null);
        if (known == null) {
            known = database.read(h -> h.select("SELECT vo FROM owner WHERE id = ?", owner)
                            .mapTo(String.class)
                            .findFirst())
                    .orElse("");
            vos.put(owner, known);
        }
        return known.isEmpty() ? Optional.empty() : Optional.of(known);
    }

    /** The number of the FQAN under which a caller's jobs are accounted; null where it is the owner's own, or there is none. */
    public Integer accountingGroup(Identity identity) {
        return groups.of(identity)
                .map(fqan -> numbered(
                        List.of("accounting_group", fqan),
                        "SELECT id FROM accounting_group WHERE fqan = ?",
                        "INSERT IGNORE INTO accounting_group (fqan) VALUES (?)",
                        List.of(fqan)))
                .orElse(null);
    }

    /** The number of a local account. */
    public int account(String name) {
        return numbered(
                List.of("account", name),
                "SELECT id FROM account WHERE name = ?",
                "INSERT IGNORE INTO account (name) VALUES (?)",
                List.of(name));
    }

    /** The number of a queue of a batch system. */
    public int queue(String lrms, String name) {
        return numbered(
                List.of("queue", lrms, name),
                "SELECT id FROM queue WHERE lrms = ? AND name = ?",
                "INSERT IGNORE INTO queue (lrms, name) VALUES (?, ?)",
                List.of(lrms, name));
    }

    /** The number of what routes give jobs. */
    public int route(RouteSettings settings) {
        String content = settings.text();
        return numbered(
                List.of("route", content),
                "SELECT id FROM route WHERE hash = ?",
                "INSERT IGNORE INTO route (hash, content) VALUES (?, ?)",
                List.of(Sha256.of(content)),
                content);
    }

    /** The number of a WMS instance. */
    public int ice(String name) {
        return numbered(
                List.of("ice", name),
                "SELECT id FROM ice WHERE name = ?",
                "INSERT IGNORE INTO ice (name) VALUES (?)",
                List.of(name));
    }

    /**
     * The number of a row, which is made where it is missing.
     *
     * @param name what the row is remembered by
     * @param key what finds it, and is inserted first
     * @param more that is inserted behind the key
     */
    private int numbered(List<String> name, String select, String insert, List<Object> key, Object... more) {
        Integer known = cache.get(name).orElse(null);
        if (known != null) {
            return known;
        }
        int id = database.inTransaction(h -> find(h, select, key).orElseGet(() -> {
            h.execute(insert, Stream.concat(key.stream(), Stream.of(more)).toArray());
            return find(h, select, key).orElseThrow();
        }));
        cache.put(name, id);
        return id;
    }

    private static Optional<Integer> find(Handle h, String select, List<Object> key) {
        return h.select(select, key.toArray()).mapTo(Integer.class).findOne();
    }
}
