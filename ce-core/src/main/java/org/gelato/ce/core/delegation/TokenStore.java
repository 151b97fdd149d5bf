package org.gelato.ce.core.delegation;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.delegation.DelegationStore.DelegationKey;
import org.gelato.ce.core.delegation.DelegationStore.Stored;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * The SQL of delegated bearer tokens, beside that of proxies in {@link DelegationStore}. Each public call is one short transaction
 * or one read. Thread-safe.
 */
final class TokenStore {
    private static final String BY_KEY =
            " d.subject_id = :subject AND d.account_id = :account AND d.client_id = :clientId";

    static final String CREATE = "INSERT INTO delegation (subject_id, account_id, client_id, kind, vo, fqans, chain,"
            + " private_key, info, expires_at, created_at)"
            + " VALUES (:subject, :account, :clientId, 1, :vo, '', '', :sealed, :info, :expiresAt, :now)";
    static final String RENEW = "UPDATE delegation d JOIN proxy_file f ON f.delegation_id = d.id"
            + " SET d.private_key = :sealed, d.info = :info, d.expires_at = :expiresAt, d.renewed_at = :now,"
            + " f.written_at = NULL WHERE" + BY_KEY + " AND d.kind = 1 AND d.ended_at IS NULL";
    static final String BY_ID =
            DelegationStore.STORED + " WHERE" + BY_KEY + " AND d.kind = 1" + " AND d.ended_at IS NULL";
    static final String KIND = "SELECT d.kind FROM delegation d WHERE" + BY_KEY + " AND d.ended_at IS NULL";

    private final Database database;

    TokenStore(Database database) {
        this.database = database;
    }

    /** What is stored of a token; the sealed text names this version of it. */
    record Sealed(byte[] text, String info, Instant expiresAt) {}

    /** Stores a token under an id that is not in use; its file is still to be written. Returns the row's number. */
    int create(DelegationKey key, Sealed token, String vo, Path file, Instant now) {
        return database.inTransaction(h -> {
            int id = bind(DelegationStore.bind(h.createUpdate(CREATE), key), token, now)
                    .bind("vo", vo)
                    .executeAndReturnGeneratedKeys("id")
                    .mapTo(Integer.class)
                    .one();
            h.createUpdate(DelegationStore.CREATE_FILE)
                    .bind("id", id)
                    .bind("path", file.toString())
                    .execute();
            return id;
        });
    }

    /** Replaces a token; its file is then to be written. Empty when no token is stored under the id. */
    Optional<Stored> renew(DelegationKey key, Sealed token, Instant now) {
        return database.inTransaction(h -> bind(DelegationStore.bind(h.createUpdate(RENEW), key), token, now)
                                .execute()
                        == 0
                ? Optional.empty()
                : stored(h, key));
    }

    /** The token a delegation has now; empty when there is none, or it is a proxy's. */
    Optional<Stored> stored(DelegationKey key) {
        return database.read(h -> stored(h, key));
    }

    private static Optional<Stored> stored(Handle h, DelegationKey key) {
        return DelegationStore.bind(h.createQuery(BY_ID), key)
                .map((row, c) -> DelegationStore.stored(row))
                .findOne();
    }

    Optional<DelegationKind> kind(DelegationKey key) {
        return database.read(h -> DelegationStore.bind(h.createQuery(KIND), key)
                .map((row, c) -> DelegationKind.ofCode(row.getInt("kind")))
                .findOne());
    }

    private static <S extends SqlStatement<S>> S bind(S statement, Sealed token, Instant now) {
        return statement
                .bind("sealed", token.text())
                .bind("info", token.info())
                .bind("expiresAt", SqlTime.of(token.expiresAt()))
                .bind("now", SqlTime.of(now));
    }
}
