package org.gelato.ce.core.intake;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.StateSql;
import org.gelato.ce.core.sandbox.SandboxLayout;

/**
 * The owners' home directories that may hold events: those of jobs handed over and not ended. Added to before a job is
 * handed over, rebuilt from the database at start and from time to time, so that a crash forgets none and ended ones are
 * forgotten. Thread-safe.
 */
public final class ActiveHomes {
    static final String ACTIVE = StateSql.of("""
            SELECT DISTINCT o.vo, s.dn, o.fqan, a.name AS account
            FROM job j JOIN owner o ON o.id = j.owner_id JOIN subject s ON s.id = o.subject_id
              JOIN account a ON a.id = j.account_id
            WHERE j.state IN {ACTIVE}
            """);

    private final Database database;
    private final SandboxLayout layout;
    private final Set<Home> homes = ConcurrentHashMap.newKeySet();

    /** A home directory and the account it belongs to. */
    public record Home(String account, Path directory) {}

    public ActiveHomes(Database database, SandboxLayout layout) {
        this.database = database;
        this.layout = layout;
    }

    /** Remembers a home; call before its wrapper can write an event. */
    public void add(String account, Path home) {
        homes.add(new Home(account, home));
    }

    /** Reads the homes of all active jobs anew. One added meanwhile stays. */
    public void rebuild() {
        Set<Home> before = Set.copyOf(homes);
        List<Home> active = database.read(h -> h.createQuery(ACTIVE)
                .map((r, c) -> new Home(r.getString("account"), layout.home(Owner.of(r), r.getString("account"))))
                .list());
        homes.addAll(active);
        before.stream().filter(home -> !active.contains(home)).forEach(homes::remove);
    }

    /** The homes to scan now. */
    public List<Home> list() {
        return List.copyOf(homes);
    }
}
