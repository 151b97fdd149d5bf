package org.gelato.ce.core.delegation;

import static org.gelato.ce.core.delegation.DelegationGrid.NOW;
import static org.gelato.ce.core.delegation.DelegationGrid.PKI;
import static org.gelato.ce.core.delegation.DelegationGrid.USER;
import static org.gelato.ce.core.delegation.DelegationGrid.key;
import static org.gelato.ce.core.delegation.DelegationGrid.proxy;
import static org.gelato.ce.core.delegation.DelegationGrid.requestedKey;
import static org.gelato.ce.core.delegation.DelegationGrid.validator;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.audit.RecordedTrail;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.delegation.AttributeReader.Attributes;
import org.gelato.ce.core.delegation.DelegationGrid.Kind;
import org.gelato.ce.core.fixture.TestClock;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.testkit.pki.GridCredential;

/** A delegation service on the test database, with the chain checks of CAnL and accounts in memory. */
final class DelegationBench implements AutoCloseable {
    private static final int DIFFERENT_KEYS = 40;
    private static final Map<Integer, KeyPair> KEYS = new ConcurrentHashMap<>();
    private static final AtomicInteger NEXT_KEY = new AtomicInteger();

    final Database database;
    final OwnerStore owners;
    final SandboxLayout layout = new SandboxLayout(Path.of("/sandbox"));
    final GuardedAccounts accounts = new GuardedAccounts();
    final KeyPool keys = new KeyPool(2, DelegationBench::nextKey);
    private Delegations.Quota quota = Delegations.Quota.NONE;
    final TestClock clock = new TestClock(NOW);
    final RecordedTrail trail = new RecordedTrail();
    final List<String> cancelled = new CopyOnWriteArrayList<>();
    final Caller caller = caller(USER, "dteam001", "/dteam", "/dteam/x");
    volatile Attributes attributes =
            new Attributes("dteam", List.of("/dteam"), PKI.voms().credential().subject(), List.of());
    volatile DelegationEnd end = (id, reason) -> cancelled.add(id + " " + reason);
    /** How long new delegations of an owner share a key; it counts from the next start on. */
    Duration reuse = Duration.ZERO;

    KeyVault vault = new KeyVault(new byte[32]);
    DelegationService service;

    DelegationBench(Database database) {
        this.database = database;
        this.owners = new OwnerStore(database);
        database.inTransaction(h -> {
            h.execute("DELETE FROM job");
            h.execute("DELETE FROM delegation_request");
            return h.execute("DELETE FROM delegation");
        });
        this.service = start();
    }

    /** Keys that do not repeat within a test, but over tests, because making one takes long. */
    static KeyPair nextKey() {
        int next = NEXT_KEY.getAndIncrement();
        return KEYS.computeIfAbsent(next % DIFFERENT_KEYS, n -> key());
    }

    /** Has the service bound what a user may have. */
    void bound(int most, long bytes) {
        quota = new Delegations.Quota(most, bytes);
        service = start();
    }

    /** A service as after a restart. */
    DelegationService start() {
        return start(ProxyFiles.PATIENCE);
    }

    DelegationService start(Duration patience) {
        return new DelegationService(
                database,
                owners,
                new ProxyFiles(layout, accounts, patience),
                new DelegationService.Keys(keys, vault, reuse),
                new ProxyCheck(new CanlChainValidator(validator()), chain -> attributes, clock),
                new DelegationEnd.Listeners((id, reason) -> end.cancelJobsOf(id, reason), trail),
                quota,
                clock);
    }

    static Caller caller(GridCredential user, String account, String... fqans) {
        return new Caller(
                new GridIdentity(
                        user.subject(),
                        List.of(fqans),
                        fqans.length == 0 ? null : "dteam",
                        false,
                        NOW.plusSeconds(9999),
                        List.of()),
                account,
                false);
    }

    /** Delegates under an id, with a proxy that ends after some time. */
    void delegate(String id, Duration life) {
        service.putProxy(caller, id, signed(service.getProxyReq(caller, id), life));
    }

    void renew(String id, Duration life) {
        service.putProxy(caller, id, signed(service.renewProxyReq(caller, id), life));
    }

    String signed(String request, Duration life) {
        return signed(request, NOW.plus(life));
    }

    static String signed(String request, Instant end) {
        return ProxyChain.pem(proxy(USER, requestedKey(request), Kind.RFC, NOW.minus(Duration.ofHours(1)), end));
    }

    /** A delegation as it is stored. */
    record Row(int rowId, Instant expiresAt, Path proxyFile, String info) {}

    /** Null when there is none of the caller's under this id. */
    Row ref(String id) {
        return database.read(h -> h.createQuery("SELECT d.id, d.expires_at, d.info, f.path FROM delegation d"
                        + " JOIN proxy_file f ON f.delegation_id = d.id JOIN subject s ON s.id = d.subject_id"
                        + " JOIN account a ON a.id = d.account_id"
                        + " WHERE d.client_id = :id AND s.dn = :dn AND a.name = :account")
                .bind("id", id)
                .bind("dn", caller.identity().subject())
                .bind("account", caller.account())
                .map((row, c) -> new Row(
                        row.getInt("id"),
                        SqlTime.get(row, "expires_at"),
                        Path.of(row.getString("path")),
                        row.getString("info")))
                .findOne()
                .orElse(null));
    }

    /** The certificates that lie in the file of a delegation. */
    List<X509Certificate> fileOf(String id) {
        String text = new String(accounts.files().get(ref(id).proxyFile()).content(), StandardCharsets.US_ASCII);
        String key = "(?s)-----BEGIN RSA PRIVATE KEY.*END RSA PRIVATE KEY-----\n";
        return List.of(ProxyChain.parse(text.replaceAll(key, "")).certificates());
    }

    PublicKey storedKey(String id) {
        return ProxyChain.parse(storedChain(id)).leaf().getPublicKey();
    }

    String storedChain(String id) {
        int row = ref(id).rowId();
        return database.read(h -> h.select("SELECT chain FROM delegation WHERE id = ?", row)
                .mapTo(String.class)
                .one());
    }

    boolean marked(String id) {
        int row = ref(id).rowId();
        return count("proxy_file WHERE written_at IS NOT NULL AND delegation_id = " + row) == 1;
    }

    int count(String from) {
        return database.read(h ->
                h.select("SELECT COUNT(*) FROM " + from).mapTo(Integer.class).one());
    }

    @Override
    public void close() {
        keys.close();
    }
}
