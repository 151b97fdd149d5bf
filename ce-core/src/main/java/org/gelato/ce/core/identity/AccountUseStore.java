package org.gelato.ce.core.identity;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.core.db.Database;

/**
 * Which local accounts subjects work under, from their jobs and delegations. It reads every job, so it is for the start
 * of the CE and no request. Thread-safe.
 */
public final class AccountUseStore {
    static final String USES = """
            SELECT s.dn, a.name AS account, uses.fqans
            FROM (SELECT o.subject_id, j.account_id, o.fqan AS fqans, MAX(j.registered_at) AS at
                  FROM job j JOIN owner o ON o.id = j.owner_id GROUP BY o.subject_id, j.account_id, o.fqan
                  UNION ALL
                  SELECT subject_id, account_id, fqans, MAX(created_at) FROM delegation
                  GROUP BY subject_id, account_id, fqans) uses
            JOIN subject s ON s.id = uses.subject_id AND s.kind = 0
            JOIN account a ON a.id = uses.account_id
            ORDER BY uses.at DESC, s.id, a.id
            """;

    private final Database database;

    public AccountUseStore(Database database) {
        this.database = database;
    }

    /**
     * A subject and an account it has jobs or delegations under.
     *
     * @param dn RFC 2253
     * @param account its name
     * @param fqans of its jobs and delegations under this account
     */
    public record AccountUse(String dn, String account, Set<String> fqans) {
        public AccountUse {
            fqans = Set.copyOf(fqans);
        }
    }

    /** Each pair of subject and account once, the one used last first. */
    public List<AccountUse> newestFirst() {
        Map<List<String>, Set<String>> pairs = new LinkedHashMap<>();
        database.read(h -> h.createQuery(USES)
                        .map((r, c) -> List.of(r.getString("dn"), r.getString("account"), r.getString("fqans")))
                        .list())
                .forEach(row -> pairs.computeIfAbsent(row.subList(0, 2), pair -> new HashSet<>())
                        .addAll(row.get(2)
                                .lines()
                                .filter(fqan -> !fqan.isBlank())
                                .toList()));
        return pairs.entrySet().stream()
                .map(e -> new AccountUse(e.getKey().get(0), e.getKey().get(1), e.getValue()))
                .toList();
    }
}
