package org.gelato.ce.core.intake;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.StateSql;
import org.gelato.ce.core.sandbox.SandboxLayout;

/**
 * The owners' home directories that may hold events: those of jobs handed over, and those of ended jobs until a scan found
 * them empty. A home is added before its job is handed over. The homes of active jobs are read from the database at start
 * and from time to time. At start those of jobs that ended shortly before the last end that the CE has stored are read too: the
 * batch system may have shown the end before the job's events were read, and the CE may have been killed then.
 * Thread-safe.
 */
public final class SpoolHomes {
    public static final String ACTIVE =
            StateSql.of("SELECT DISTINCT owner_id, account_id FROM job WHERE state IN {ACTIVE}");
    /** Of usage records, as they outlive the jobs. */
    public static final String ENDED_LAST = """
            SELECT DISTINCT owner_id, account_id FROM usage_record
            WHERE ended_at > (SELECT MAX(ended_at) FROM usage_record) - INTERVAL 10 MINUTE
            """;

    private static final String HOMES = """
            SELECT o.vo, s.dn, o.fqan, a.name AS account
            FROM (%s) j JOIN owner o ON o.id = j.owner_id JOIN subject s ON s.id = o.subject_id
              JOIN account a ON a.id = j.account_id
            """;

    private final Database database;
    private final SandboxLayout layout;
    private final Map<Home, Phase> homes = new ConcurrentHashMap<>();
    private boolean begun;

    /** A home directory and the account it belongs to. */
    public record Home(String account, Path directory) {
        @Override
        public String toString() {
            return directory.toString();
        }
    }

    private enum Phase {
        /** Has jobs in the batch system. */
        ACTIVE,
        /** Has none, and may have events. */
        ENDED,
        /** Has none, and the last scan found nothing. */
        EMPTY,
        /** Has none, and could not be read: left alone until the next rebuild. */
        UNREADABLE
    }

    public SpoolHomes(Database database, SandboxLayout layout) {
        this.database = database;
        this.layout = layout;
    }

    /** Remembers a home; call before its wrapper can write an event. */
    public void add(String account, Path home) {
        homes.put(new Home(account, home), Phase.ACTIVE);
    }

    /** Reads the homes of all active jobs anew. One added meanwhile stays; one that has ended is forgotten once it is empty. */
    void rebuild() {
        Map<Home, Phase> before = Map.copyOf(homes);
        Set<Home> active = new HashSet<>(read(ACTIVE));
        if (!begun) {
            read(ENDED_LAST).forEach(home -> homes.putIfAbsent(home, Phase.ENDED));
            begun = true;
        }
        active.forEach(home -> homes.put(home, Phase.ACTIVE));
        before.forEach((home, phase) -> {
            if (!active.contains(home)) {
                if (phase == Phase.EMPTY) {
                    homes.remove(home, Phase.EMPTY);
                } else {
                    homes.replace(home, phase, Phase.ENDED);
                }
            }
        });
    }

    private List<Home> read(String owners) {
        return database.read(h -> h.createQuery(HOMES.formatted(owners))
                .map((r, c) -> new Home(r.getString("account"), layout.home(Owner.of(r), r.getString("account"))))
                .list());
    }

    /** The homes to scan now. */
    List<Home> list() {
        return homes.entrySet().stream()
                .filter(home -> home.getValue() != Phase.UNREADABLE)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** A scan of the home is over, and found files or none. */
    void scanned(Home home, boolean empty) {
        homes.computeIfPresent(home, (h, phase) -> phase == Phase.ACTIVE ? phase : empty ? Phase.EMPTY : Phase.ENDED);
    }

    /** The home could not be read, or what it holds not be applied. */
    void failed(Home home) {
        homes.computeIfPresent(home, (h, phase) -> phase == Phase.ACTIVE ? phase : Phase.UNREADABLE);
    }
}
