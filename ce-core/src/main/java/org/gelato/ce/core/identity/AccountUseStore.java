package org.gelato.ce.core.identity;

import java.util.List;
import org.gelato.ce.core.db.Database;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;

/**
 * Which local accounts subjects work under, as their jobs and delegations tell. It reads every job, so it is for the start
 * of the CE and no request. Thread-safe.
 */
public final class AccountUseStore {
    static final String USES = """
            SELECT s.dn, a.name AS account
            FROM (SELECT subject_id, account_id, MAX(at) AS at
                  FROM (SELECT o.subject_id, j.account_id, MAX(j.registered_at) AS at
                        FROM job j JOIN owner o ON o.id = j.owner_id GROUP BY o.subject_id, j.account_id
                        UNION ALL
                        SELECT subject_id, account_id, MAX(created_at) FROM delegation
                        GROUP BY subject_id, account_id) each_way
                  GROUP BY subject_id, account_id) uses
            JOIN subject s ON s.id = uses.subject_id
            JOIN account a ON a.id = uses.account_id
            ORDER BY uses.at DESC, s.id, a.id
            """;

    private final Database database;

    public AccountUseStore(Database database) {
        this.database = database;
    }

    /** A subject, RFC 2253, and the name of an account it has jobs or delegations under. */
    public record AccountUse(String dn, String account) {}

    /** Each pair once, the one used last first. */
    public List<AccountUse> newestFirst() {
        return database.read(h -> h.createQuery(USES)
                .registerRowMapper(ConstructorMapper.factory(AccountUse.class))
                .mapTo(AccountUse.class)
                .list());
    }
}
