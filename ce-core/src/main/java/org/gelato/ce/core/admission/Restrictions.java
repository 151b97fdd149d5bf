package org.gelato.ce.core.admission;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.BanSet;
import org.jdbi.v3.core.Handle;

/**
 * The drains of queues and VOs and the bans of administrators: stored for all nodes, read from memory. Each change is one
 * transaction. {@link #refresh} costs one statement while nothing changes; while the database does not respond, the lists read
 * before stay in force. Any thread.
 */
public final class Restrictions {
    /** Drains of queues and VOs there may be. */
    public static final int MAX_DRAINS = 200;
    /** Bans there may be. */
    public static final int MAX_BANS = 1000;

    private static final int MAX_REASON = 255;
    static final String REVISION = "SELECT revision FROM restriction_revision WHERE id = 1";
    // First in each change: changes wait for each other, so that the bounds hold.
    static final String CHANGED = "UPDATE restriction_revision SET revision = revision + 1 WHERE id = 1";

    private final Database database;
    private volatile Lists lists = new Lists(-1, List.of(), BanSet.NONE);

    /**
     * Where entries are.
     *
     * @param byKey finds one by its kind and its key
     * @param insert gets kind, key, what else is stored of it, who made it, and the reason
     */
    private record Table(String name, String byKey, String insert, int most) {}

    private static final Table DRAINS = new Table(
            "drain",
            "kind = ? AND name = ?",
            "INSERT INTO drain (kind, name, set_by, reason, set_at) VALUES (?, ?, ?, ?, UTC_TIMESTAMP(6))",
            MAX_DRAINS);
    private static final Table BANS = new Table(
            "ban",
            "kind = ? AND name_hash = ?",
            "INSERT INTO ban (kind, name_hash, name, set_by, reason, set_at) VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(6))",
            MAX_BANS);

    private record Lists(long revision, List<Drain> drains, BanSet bans) {}

    Restrictions(Database database) {
        this.database = database;
    }

    /**
     * Reads the lists again when they have changed. One at a time, so that the last one read is what the database has, whatever its
     * revision: a replica that takes over may lack the last changes.
     *
     * @return whether they have
     */
    synchronized boolean refresh() {
        Lists known = lists;
        // The revision first: lists that are newer than it are read once more, older ones never stay.
        lists = database.read(h -> {
            long revision = h.createQuery(REVISION).mapTo(Long.class).one();
            return revision == known.revision() ? known : new Lists(revision, drains(h), bans(h));
        });
        return lists.revision() != known.revision();
    }

    private static List<Drain> drains(Handle h) {
        return h.createQuery("SELECT kind, name, reason, set_by, set_at FROM drain ORDER BY kind, name")
                .map((r, c) -> new Drain(
                        Drain.Part.ofCode(r.getInt("kind")),
                        r.getString("name"),
                        r.getString("reason"),
                        r.getString("set_by"),
                        SqlTime.get(r, "set_at")))
                .list();
    }

    private static BanSet bans(Handle h) {
        return new BanSet(h.createQuery("SELECT kind, name, reason, set_by, set_at FROM ban ORDER BY id")
                .map((r, c) -> new Ban(
                        Ban.Kind.ofCode(r.getInt("kind")),
                        r.getString("name"),
                        r.getString("reason"),
                        r.getString("set_by"),
                        SqlTime.get(r, "set_at")))
                .list());
    }

    /** The drains of queues and VOs. */
    public List<Drain> drains() {
        return lists.drains();
    }

    /** The bans. */
    public BanSet bans() {
        return lists.bans();
    }

    /** The drain of a queue or VO; a name that is null has none. */
    Optional<Drain> drain(Drain.Part part, String name) {
        return lists.drains().stream()
                .filter(d -> d.part() == part && d.name().equals(name))
                .findFirst();
    }

    /** Drains a queue or VO; one that is drained gets the new reason and keeps its time. */
    void drain(Drain.Part part, String name, String reason, String by) {
        Drain.check(name);
        checkReason(reason);
        set(DRAINS, reason, by, part.code(), name);
    }

    /** Ends the drain of a queue or VO. @return whether there was one */
    boolean enable(Drain.Part part, String name) {
        Drain.check(name);
        return end(DRAINS, part.code(), name);
    }

    /**
     * Bans; who is banned already gets the new reason and keeps the time.
     *
     * @param name in the form of {@link Ban#name}
     * @throws IllegalArgumentException when there are too many bans
     */
    public void ban(Ban.Kind kind, String name, String reason, String by) {
        checkReason(reason);
        set(BANS, reason, by, kind.code(), hash(kind, name), name);
    }

    /** Ends a ban. @return whether there was one */
    public boolean unban(Ban.Kind kind, String name) {
        return end(BANS, kind.code(), hash(kind, name));
    }

    /**
     * Adds an entry; one that is there gets the new reason and keeps its time.
     *
     * @param reason null for none
     * @param key kind and what finds the entry within it, then what else is stored of it
     */
    private void set(Table table, String reason, String by, Object... key) {
        database.change(h -> {
            changed(h);
            int known = h.execute(
                    "UPDATE " + table.name() + " SET reason = ?, set_by = ? WHERE " + table.byKey(),
                    reason,
                    by,
                    key[0],
                    key[1]);
            // An update that changes nothing may count no rows.
            if (known == 0 && count(h, table.name() + " WHERE " + table.byKey(), key[0], key[1]) == 0) {
                int there = count(h, table.name());
                if (there >= table.most()) {
                    throw new IllegalArgumentException("there are " + there + " " + table.name()
                            + "s, and there may be no more; end some of them first");
                }
                h.execute(
                        table.insert(),
                        Stream.concat(Stream.of(key), Stream.of(by, reason)).toArray());
            }
        });
        refresh();
    }

    private boolean end(Table table, Object... key) {
        boolean there = database.inTransaction(h -> {
            changed(h);
            return h.execute("DELETE FROM " + table.name() + " WHERE " + table.byKey(), key) > 0;
        });
        refresh();
        return there;
    }

    /** Notes within a transaction that something has changed. */
    static void changed(Handle h) {
        h.createUpdate(CHANGED).execute();
    }

    /** @throws IllegalArgumentException for a reason that is too long, or of more than one line */
    static void checkReason(String reason) {
        if (reason != null && (reason.length() > MAX_REASON || reason.chars().anyMatch(Character::isISOControl))) {
            throw new IllegalArgumentException(
                    "a reason is one line of at most " + MAX_REASON + " characters without control characters");
        }
    }

    private static int count(Handle h, String from, Object... key) {
        return h.select("SELECT COUNT(*) FROM " + from, key)
                .mapTo(Integer.class)
                .one();
    }

    private static byte[] hash(Ban.Kind kind, String name) {
        return Sha256.of(Ban.key(kind, name));
    }
}
