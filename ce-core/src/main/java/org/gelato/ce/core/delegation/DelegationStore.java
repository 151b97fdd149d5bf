package org.gelato.ce.core.delegation;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.InList;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.delegation.Delegations.Listed;
import org.gelato.ce.core.delegation.Delegations.Quota.Used;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.job.StateSql;
import org.gelato.ce.core.job.TextQuota;
import org.gelato.ce.core.service.JobDelegations.Ref;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * All SQL of delegations. Each public call is one short transaction or one read. A renewal from request to written file
 * is four statements: {@link #REQUEST_RENEWAL}, {@link #LOOKUP}, {@link #RENEW}, {@link #MARK_WRITTEN}. Thread-safe.
 */
final class DelegationStore {
    /** What a delegation is known by (docs/developer/protocol/delegation-wire.md section 3). */
    record DelegationKey(int subject, int account, String clientId) {}

    /** What putProxy stores; the sealed key is that of the request and names this version of the delegation. */
    record Proxy(String vo, List<String> fqans, String chain, byte[] sealedKey, String info, Instant expiresAt) {
        /** As the database counts them. */
        long bytes() {
            return TextQuota.bytes(chain)
                    + sealedKey.length
                    + TextQuota.bytes(info)
                    + TextQuota.bytes(String.join("\n", fqans));
        }
    }

    /** What is delegated, and its file; the chain of a token is empty, and its sealed key is the sealed token. */
    record Stored(int id, DelegationKind kind, String account, Path file, String chain, byte[] sealedKey) {}

    /** The delegation as putProxy finds it. */
    record Existing(
            int id, String fqans, Instant expiresAt, Path file, boolean written, String chain, byte[] sealedKey) {}

    /** A request that waits for its certificate. */
    record Pending(int id, byte[] sealedKey) {}

    /** What there is for a putProxy: either, both or none. */
    record Found(Optional<Existing> delegation, Optional<Pending> request) {}

    /** A delegation to be ended. */
    record Ending(int id, String account, Path file) {}

    private static final String BY_KEY = " subject_id = :subject AND account_id = :account AND client_id = :clientId";
    private static final String INSERT_REQUEST =
            "INSERT INTO delegation_request (subject_id, account_id, client_id, key_hash, private_key, created_at) ";

    // unique key delegation_request_key; spent requests are back-dated and do not count
    static final String WAITING =
            "SELECT COUNT(*) FROM delegation_request w WHERE w.subject_id = :subject AND w.created_at > :since";
    private static final String NOT_TOO_MANY = " (" + WAITING + ") < :most";

    // unique key delegation_key
    static final String REQUEST_NEW = INSERT_REQUEST
            + "SELECT :subject, :account, :clientId, :keyHash, :sealedKey, :now FROM DUAL"
            + " WHERE NOT EXISTS (SELECT 1 FROM delegation WHERE" + BY_KEY + ") AND" + NOT_TOO_MANY;
    static final String REQUEST_RENEWAL = INSERT_REQUEST
            + "SELECT subject_id, account_id, client_id, :keyHash, :sealedKey, :now FROM delegation WHERE" + BY_KEY
            + " AND kind = 0 AND ended_at IS NULL AND" + NOT_TOO_MANY;

    // unique keys delegation_key and delegation_request_key; a spent request has no key
    static final String LOOKUP = "SELECT d.id, d.fqans, d.expires_at, d.chain, d.private_key, f.path, f.written_at,"
            + " r.id AS request_id, r.private_key AS request_key FROM subject s"
            + " LEFT JOIN delegation d ON d.subject_id = s.id AND d.account_id = :account AND d.client_id = :clientId"
            + " AND d.kind = 0 AND d.ended_at IS NULL"
            + " LEFT JOIN proxy_file f ON f.delegation_id = d.id"
            + " LEFT JOIN delegation_request r ON r.subject_id = s.id AND r.account_id = :account"
            + " AND r.client_id = :clientId AND r.key_hash = :keyHash AND LENGTH(r.private_key) > 0"
            + " WHERE s.id = :subject";

    // key delegation_of_person, entries of the index alone
    static final String USED = "SELECT COUNT(*) AS number, COALESCE(SUM(bytes), 0) AS bytes"
            + " FROM delegation FORCE INDEX (delegation_of_person) WHERE subject_id = :subject";
    static final String CREATE = "INSERT INTO delegation (subject_id, account_id, client_id, vo, fqans, chain,"
            + " private_key, info, expires_at, created_at)"
            + " SELECT :subject, :account, :clientId, :vo, :fqans, :chain, :sealedKey, :info, :expiresAt, :now"
            + " FROM (" + USED + ") used WHERE used.number < :most AND used.bytes + :bytes <= :mostBytes";
    static final String CREATE_FILE =
            "INSERT INTO proxy_file (delegation_id, path, written_at) VALUES (:id, :path, NULL)";
    static final String DELETE_REQUEST =
            "DELETE FROM delegation_request WHERE id = :request AND LENGTH(private_key) > 0";

    // Primary keys. The request is spent in the same statement; emptied and back-dated, the next sweep takes it away.
    static final String RENEW = "UPDATE delegation d JOIN proxy_file f ON f.delegation_id = d.id"
            + " JOIN delegation_request r ON r.id = :request"
            + " SET d.vo = :vo, d.fqans = :fqans, d.chain = :chain, d.private_key = :sealedKey, d.info = :info,"
            + " d.expires_at = :expiresAt, d.renewed_at = :now, f.written_at = NULL, r.private_key = '',"
            + " r.created_at = '1970-01-02'"
            + " WHERE d.id = :id AND d.expires_at <= :expiresAt AND d.ended_at IS NULL AND LENGTH(r.private_key) > 0";

    static final String CONFIRM =
            "UPDATE delegation d LEFT JOIN delegation_request r ON r.id = :request SET d.renewed_at = :now,"
                    + " r.private_key = '', r.created_at = '1970-01-02' WHERE d.id = :id AND d.ended_at IS NULL";
    static final String MARK_WRITTEN = "UPDATE proxy_file f JOIN delegation d ON d.id = f.delegation_id"
            + " SET f.written_at = :now WHERE f.delegation_id = :id AND d.private_key = :sealedKey"
            + " AND d.ended_at IS NULL";

    static final String STORED = "SELECT d.id, d.kind, a.name, f.path, d.chain, d.private_key FROM delegation d"
            + " JOIN account a ON a.id = d.account_id JOIN proxy_file f ON f.delegation_id = d.id";
    static final String STORED_BY_ID = STORED + " WHERE d.id = :id AND d.ended_at IS NULL";
    // start-up and sweeps only: reads all of the narrow proxy_file
    static final String UNWRITTEN =
            STORED + " WHERE f.written_at IS NULL AND d.expires_at > :now AND d.ended_at IS NULL LIMIT :limit";

    static final String EXPIRES_AT = "SELECT expires_at FROM delegation WHERE" + BY_KEY + " AND ended_at IS NULL";
    static final String FIND = "SELECT id, client_id, expires_at FROM delegation"
            + " WHERE subject_id = :subject AND account_id = :account AND client_id IN (<ids>) AND ended_at IS NULL";
    static final String LIST = "SELECT client_id, kind, expires_at FROM delegation"
            + " WHERE subject_id = :subject AND account_id = :account AND ended_at IS NULL ORDER BY client_id LIMIT :limit";
    static final String CHAIN = "SELECT chain FROM delegation WHERE" + BY_KEY + " AND kind = 0 AND ended_at IS NULL";
    // key job_delegation
    private static final String USING = " (SELECT 1 FROM job j WHERE j.delegation_id = ";
    private static final String NOT_ENDED = StateSql.of(" AND j.state IN {NOT_ENDED})");
    static final String IN_USE = "SELECT EXISTS" + USING + ":delegation" + NOT_ENDED;

    private static final String ENDING = "SELECT d.id, a.name, f.path FROM delegation d"
            + " JOIN account a ON a.id = d.account_id JOIN proxy_file f ON f.delegation_id = d.id";
    static final String ENDING_BY_KEY =
            ENDING + " WHERE d.subject_id = :subject AND d.account_id = :account AND d.client_id = :clientId";
    // key delegation_expiry
    static final String EXPIRED =
            ENDING + " WHERE d.kind = 0 AND d.expires_at <= :now ORDER BY d.expires_at LIMIT :limit";
    // A token's end ends no job: its row stays, to be renewed, as long as a job that has not ended refers to it.
    static final String EXPIRED_TOKENS = ENDING + " WHERE d.kind = 1 AND d.expires_at <= :now AND NOT EXISTS" + USING
            + "d.id" + NOT_ENDED + " ORDER BY d.expires_at LIMIT :limit";
    // key delegation_ended; of whoever began to end them and did not come to the end
    static final String LEFT_ENDED = ENDING + " WHERE d.ended_at <= :now ORDER BY d.ended_at LIMIT :limit";
    static final String IS_ENDED = "SELECT COUNT(*) FROM delegation WHERE" + BY_KEY + " AND ended_at IS NOT NULL";
    static final String LOCK_TO_END = "SELECT id FROM delegation WHERE id IN (<ids>)"
            + " AND (ended_at <= :left OR (ended_at IS NULL AND expires_at <= :by)) ORDER BY id FOR UPDATE";
    static final String END = "UPDATE delegation SET ended_at = :now WHERE id IN (<ids>)";
    static final String LOCK = "SELECT id FROM delegation WHERE id IN (<ids>) ORDER BY id FOR UPDATE";
    // key job_delegation
    static final String UNCANCELLED = StateSql.of("SELECT DISTINCT j.delegation_id FROM job j"
            + " WHERE j.delegation_id IN (<ids>) AND j.state IN {NOT_ENDED} AND j.cancel_reason IS NULL");
    // sweeps only: reads all of key delegation_of_person
    static final String TIGHT = "SELECT subject_id, COUNT(*) AS number, SUM(bytes) AS bytes FROM delegation"
            + " FORCE INDEX (delegation_of_person) GROUP BY subject_id HAVING number > :most OR bytes > :bytes";
    // A job's end or purge makes its delegation unused; one that was made or renewed a moment ago waits for its job.
    private static final String IS_UNUSED =
            " AND d.ended_at IS NULL AND COALESCE(d.renewed_at, d.created_at) <= :before AND NOT EXISTS" + USING
                    + "d.id" + NOT_ENDED;
    static final String UNUSED = ENDING + " WHERE d.subject_id = :subject" + IS_UNUSED + " ORDER BY d.id LIMIT :limit";
    // its subquery reads what is committed by then, which that of a locking read does not
    static final String END_UNUSED = "UPDATE delegation d SET d.ended_at = :now WHERE d.id IN (<ids>)" + IS_UNUSED;
    static final String UNEND = "UPDATE delegation SET ended_at = NULL WHERE id IN (<ids>)";
    static final String UNMARK = "UPDATE proxy_file SET written_at = NULL WHERE delegation_id IN (<ids>)";
    static final String ENDED_NOW = "SELECT id FROM delegation WHERE id IN (<ids>) AND ended_at = :now";
    static final String DELETE = "DELETE FROM delegation WHERE id IN (<ids>)";
    static final String DELETE_OLD_REQUESTS = "DELETE FROM delegation_request WHERE created_at < :before LIMIT :limit";
    static final String CREATED_AT = "SELECT DATE_FORMAT(created_at, '%Y%m%d%H%i%s') FROM db_info";

    private final Database database;

    DelegationStore(Database database) {
        this.database = database;
    }

    /** 14 digits that differ from database to database. */
    String pathSuffix() {
        return database.read(h -> h.createQuery(CREATED_AT).mapTo(String.class).one());
    }

    /** How many requests of one subject may wait for a signed proxy that were made since a time. */
    record RequestLimit(int most, Instant since) {}

    /** Stores a request for a delegation that must not exist yet; false when it does, or for one request too many. */
    boolean requestNew(DelegationKey key, byte[] keyHash, byte[] sealedKey, Instant now, RequestLimit limit) {
        return request(REQUEST_NEW, key, keyHash, sealedKey, now, limit);
    }

    /** Stores a request for a delegation that must exist; false when it does not, or for one request too many. */
    boolean requestRenewal(DelegationKey key, byte[] keyHash, byte[] sealedKey, Instant now, RequestLimit limit) {
        return request(REQUEST_RENEWAL, key, keyHash, sealedKey, now, limit);
    }

    /** Whether a subject has all the requests it may have. */
    boolean tooMany(int subject, RequestLimit limit) {
        return database.read(h -> h.createQuery(WAITING)
                        .bind("subject", subject)
                        .bind("since", SqlTime.of(limit.since()))
                        .mapTo(Integer.class)
                        .one())
                >= limit.most();
    }

    private boolean request(
            String sql, DelegationKey key, byte[] keyHash, byte[] sealedKey, Instant now, RequestLimit limit) {
        return database.inTransaction(h -> bind(h.createUpdate(sql), key)
                        .bind("since", SqlTime.of(limit.since()))
                        .bind("most", limit.most())
                        .bind("keyHash", keyHash)
                        .bind("sealedKey", sealedKey)
                        .bind("now", SqlTime.of(now))
                        .execute()
                == 1);
    }

    /** What there is under an id, and the request that has this key. */
    Found lookup(DelegationKey key, byte[] keyHash) {
        return database.read(h -> bind(h.createQuery(LOOKUP), key)
                .bind("keyHash", keyHash)
                .map((row, c) -> new Found(existing(row), pending(row)))
                .one());
    }

    /**
     * Stores a new delegation whose file is still to be written, and ends its request.
     *
     * @return empty when another caller made this delegation or used the request: read again
     * @throws DelegationRefused when the user has no room for it
     */
    Optional<Integer> create(
            DelegationKey key, Proxy proxy, Path file, int request, Instant now, Delegations.Quota quota) {
        try {
            return Optional.of(database.inTransaction(h -> {
                int id = bind(bind(h.createUpdate(CREATE), key), proxy)
                        .bind("now", SqlTime.of(now))
                        .bind("most", quota.most())
                        .bind("bytes", proxy.bytes())
                        .bind("mostBytes", quota.bytes())
                        .executeAndReturnGeneratedKeys("id")
                        .mapTo(Integer.class)
                        .findOne()
                        .orElseThrow(() -> new DelegationRefused("delegation [delegId=" + key.clientId()
                                + "] not stored: " + quota.refusal(used(h, key.subject()), proxy.bytes())));
                h.createUpdate(CREATE_FILE)
                        .bind("id", id)
                        .bind("path", file.toString())
                        .execute();
                if (h.createUpdate(DELETE_REQUEST).bind("request", request).execute() == 0) {
                    throw new SpentException();
                }
                return id;
            }));
        } catch (SpentException e) {
            return Optional.empty();
        } catch (JdbiException e) {
            return lostRace(e);
        }
    }

    /**
     * Replaces the proxy of a delegation by one that ends no earlier; its file is then to be written.
     *
     * @return false when the delegation or the request changed meanwhile: read again
     */
    boolean renew(int id, Proxy proxy, int request, Instant now) {
        try {
            return database.inTransaction(h -> bind(h.createUpdate(RENEW), proxy)
                            .bind("id", id)
                            .bind("request", request)
                            .bind("now", SqlTime.of(now))
                            .execute()
                    > 0);
        } catch (JdbiException e) {
            return lostRace(e).isPresent();
        }
    }

    /** Ends a request, 0 for none, for what is there already and is wanted still; false when the delegation has ended. */
    boolean confirm(int id, int request, Instant now) {
        return database.inTransaction(h -> h.createUpdate(CONFIRM)
                        .bind("id", id)
                        .bind("request", request)
                        .bind("now", SqlTime.of(now))
                        .execute()
                > 0);
    }

    /** Notes that the file holds this version of the proxy; false when the delegation has another by now, or is gone. */
    boolean markWritten(int id, byte[] sealedKey, Instant now) {
        return database.inTransaction(h -> h.createUpdate(MARK_WRITTEN)
                        .bind("id", id)
                        .bind("sealedKey", sealedKey)
                        .bind("now", SqlTime.of(now))
                        .execute()
                > 0);
    }

    /** The proxy a delegation has now. */
    Optional<Stored> stored(int id) {
        return database.read(h -> h.createQuery(STORED_BY_ID)
                .bind("id", id)
                .map((row, c) -> stored(row))
                .findOne());
    }

    /** Unexpired proxies newer than their files. */
    List<Stored> unwritten(Instant now, int limit) {
        return database.read(h -> h.createQuery(UNWRITTEN)
                .bind("now", SqlTime.of(now))
                .bind("limit", limit)
                .map((row, c) -> stored(row))
                .list());
    }

    Optional<Instant> expiresAt(DelegationKey key) {
        return database.read(h -> bind(h.createQuery(EXPIRES_AT), key)
                .map((row, c) -> SqlTime.get(row, "expires_at"))
                .findOne());
    }

    /**
     * Those that are there.
     *
     * @param keys of one subject and account; not empty
     */
    Map<DelegationKey, Ref> find(Collection<DelegationKey> keys) {
        DelegationKey owner = keys.iterator().next();
        List<String> ids = keys.stream().map(DelegationKey::clientId).toList();
        return database.read(h -> h.createQuery(FIND)
                .bind("subject", owner.subject())
                .bind("account", owner.account())
                .bindList("ids", InList.of(ids))
                .map((row, c) -> Map.entry(
                        new DelegationKey(owner.subject(), owner.account(), row.getString("client_id")),
                        new Ref(row.getInt("id"), SqlTime.get(row, "expires_at"))))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The delegations of a subject and account. */
    List<Listed> list(int subject, int account, int limit) {
        return database.read(h -> h.createQuery(LIST)
                .bind("subject", subject)
                .bind("account", account)
                .bind("limit", limit)
                .map((row, c) -> new Listed(
                        row.getString("client_id"),
                        DelegationKind.ofCode(row.getInt("kind")),
                        SqlTime.get(row, "expires_at")))
                .list());
    }

    Optional<String> chain(DelegationKey key) {
        return database.read(
                h -> bind(h.createQuery(CHAIN), key).mapTo(String.class).findOne());
    }

    /** Whether a job that has not ended refers to the delegation. */
    boolean inUse(int delegation) {
        return database.read(h -> h.createQuery(IN_USE)
                .bind("delegation", delegation)
                .mapTo(Boolean.class)
                .one());
    }

    Optional<Ending> ending(DelegationKey key) {
        return database.read(h -> bind(h.createQuery(ENDING_BY_KEY), key)
                .map((row, c) -> ending(row))
                .findOne());
    }

    /** Delegated proxies whose end has come, oldest first. */
    List<Ending> expired(Instant now, int limit) {
        return ended(EXPIRED, now, limit);
    }

    /** Delegated tokens that ended by then and that no job needs, oldest first. */
    List<Ending> expiredTokens(Instant by, int limit) {
        return ended(EXPIRED_TOKENS, by, limit);
    }

    private List<Ending> ended(String sql, Instant now, int limit) {
        return database.read(h -> h.createQuery(sql)
                .bind("now", SqlTime.of(now))
                .bind("limit", limit)
                .map((row, c) -> ending(row))
                .list());
    }

    /** Delegations that were ended by then and are still there, oldest first. */
    List<Ending> leftEnded(Instant by, int limit) {
        return ended(LEFT_ENDED, by, limit);
    }

    /** Whether a delegation has ended and is about to be removed. */
    boolean isEnded(DelegationKey key) {
        return database.read(
                h -> bind(h.createQuery(IS_ENDED), key).mapTo(Integer.class).one() > 0);
    }

    /**
     * Ends delegations: from the commit on they can't be renewed, used or written, and are there to be removed with their files and jobs
     * alone. The rows are locked, so a renewal came before, and counts, or comes too late.
     *
     * @param by ends only those whose proxies end by then
     * @param left takes over what others ended by then, and did not remove
     * @return those that the caller has to remove
     */
    List<Integer> end(List<Integer> ids, Instant by, Instant left, Instant now) {
        return database.inTransaction(h -> {
            List<Integer> ended = h.createQuery(LOCK_TO_END)
                    .bindList("ids", InList.of(ids))
                    .bind("by", SqlTime.of(by))
                    .bind("left", SqlTime.of(left))
                    .mapTo(Integer.class)
                    .list();
            if (!ended.isEmpty()) {
                endedAt(h, ended, now);
            }
            return ended;
        });
    }

    /** Notes since when ended delegations wait for their removal. */
    void endedAt(List<Integer> ids, Instant at) {
        database.inTransaction(h -> endedAt(h, ids, at));
    }

    private static int endedAt(Handle h, List<Integer> ids, Instant at) {
        return h.createUpdate(END)
                .bindList("ids", InList.of(ids))
                .bind("now", SqlTime.of(at))
                .execute();
    }

    /**
     * Deletes ended delegations with their file rows; jobs lose the reference. Those stay that have jobs which are not cancelled: they were
     * registered in the last moment.
     *
     * @return those that stay
     */
    List<Integer> delete(List<Integer> ids) {
        return database.inTransaction(h -> {
            // Registrations hold their delegation's row until their commit.
            ids(h, LOCK, ids);
            List<Integer> stay = ids(h, UNCANCELLED, ids);
            List<Integer> go = ids.stream().filter(id -> !stay.contains(id)).toList();
            if (!go.isEmpty()) {
                h.createUpdate(DELETE).bindList("ids", InList.of(go)).execute();
            }
            return stay;
        });
    }

    private static List<Integer> ids(Handle h, String sql, List<Integer> of) {
        return h.createQuery(sql)
                .bindList("ids", InList.of(of))
                .mapTo(Integer.class)
                .list();
    }

    /** What a user has stored. */
    Used used(int subject) {
        return database.read(h -> used(h, subject));
    }

    private static Used used(Handle h, int subject) {
        return h.createQuery(USED)
                .bind("subject", subject)
                .map((row, c) -> used(row))
                .one();
    }

    /** Persons who are near their quota, with what they have stored. */
    Map<Integer, Used> tight(Delegations.Quota quota) {
        return database.read(h -> h.createQuery(TIGHT)
                .bind("most", quota.tightStored())
                .bind("bytes", quota.tightBytes())
                .map((row, c) -> Map.entry(row.getInt("subject_id"), used(row)))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** A user's delegations that no job needs, neither made nor renewed since; oldest first. */
    List<Ending> unused(int subject, Instant before, int limit) {
        return database.read(h -> h.createQuery(UNUSED)
                .bind("subject", subject)
                .bind("before", SqlTime.of(before))
                .bind("limit", limit)
                .map((row, c) -> ending(row))
                .list());
    }

    /** Marks those of the delegations as ended that are still unused; a job that comes meanwhile finds none. Their ids. */
    List<Integer> endUnused(List<Integer> ids, Instant before, Instant now) {
        return database.inTransaction(h -> {
            ids(h, LOCK, ids);
            h.createUpdate(END_UNUSED)
                    .bindList("ids", InList.of(ids))
                    .bind("before", SqlTime.of(before))
                    .bind("now", SqlTime.of(now))
                    .execute();
            return h.createQuery(ENDED_NOW)
                    .bindList("ids", InList.of(ids))
                    .bind("now", SqlTime.of(now))
                    .mapTo(Integer.class)
                    .list();
        });
    }

    /** Takes an end back; the files count as unwritten. */
    void unend(List<Integer> ids) {
        if (!ids.isEmpty()) {
            database.inTransaction(h -> h.createUpdate(UNMARK)
                            .bindList("ids", InList.of(ids))
                            .execute()
                    + h.createUpdate(UNEND).bindList("ids", InList.of(ids)).execute());
        }
    }

    /** Deletes requests without a signed proxy, at most {@code limit}. */
    int deleteRequestsBefore(Instant before, int limit) {
        return database.inTransaction(h -> h.createUpdate(DELETE_OLD_REQUESTS)
                .bind("before", SqlTime.of(before))
                .bind("limit", limit)
                .execute());
    }

    private static Optional<Integer> lostRace(JdbiException e) {
        if (e.getCause() instanceof SQLIntegrityConstraintViolationException || Database.isDeadlock(e)) {
            return Optional.empty();
        }
        throw e;
    }

    static <S extends SqlStatement<S>> S bind(S statement, DelegationKey key) {
        return statement
                .bind("subject", key.subject())
                .bind("account", key.account())
                .bind("clientId", key.clientId());
    }

    private static <S extends SqlStatement<S>> S bind(S statement, Proxy proxy) {
        return statement
                .bind("vo", proxy.vo())
                .bind("fqans", String.join("\n", proxy.fqans()))
                .bind("chain", proxy.chain())
                .bind("sealedKey", proxy.sealedKey())
                .bind("info", proxy.info())
                .bind("expiresAt", SqlTime.of(proxy.expiresAt()));
    }

    private static Used used(ResultSet row) throws SQLException {
        return new Used(row.getLong("number"), row.getLong("bytes"));
    }

    private static Optional<Existing> existing(ResultSet row) throws SQLException {
        int id = row.getInt("id");
        if (row.wasNull()) {
            return Optional.empty();
        }
        return Optional.of(new Existing(
                id,
                row.getString("fqans"),
                SqlTime.get(row, "expires_at"),
                Path.of(row.getString("path")),
                SqlTime.get(row, "written_at") != null,
                row.getString("chain"),
                row.getBytes("private_key")));
    }

    private static Optional<Pending> pending(ResultSet row) throws SQLException {
        int id = row.getInt("request_id");
        return row.wasNull() ? Optional.empty() : Optional.of(new Pending(id, row.getBytes("request_key")));
    }

    static Stored stored(ResultSet row) throws SQLException {
        return new Stored(
                row.getInt("id"),
                DelegationKind.ofCode(row.getInt("kind")),
                row.getString("name"),
                Path.of(row.getString("path")),
                row.getString("chain"),
                row.getBytes("private_key"));
    }

    private static Ending ending(ResultSet row) throws SQLException {
        return new Ending(row.getInt("id"), row.getString("name"), Path.of(row.getString("path")));
    }

    /** Rolls a transaction back: the request went to another caller. */
    private static final class SpentException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
