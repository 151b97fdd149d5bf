package org.gelato.ce.core.delegation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.gelato.ce.core.account.DiskFullException;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.audit.AuditTrail;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.delegation.DelegationStore.DelegationKey;
import org.gelato.ce.core.delegation.DelegationStore.Ending;
import org.gelato.ce.core.delegation.DelegationStore.Existing;
import org.gelato.ce.core.delegation.DelegationStore.Found;
import org.gelato.ce.core.delegation.DelegationStore.Pending;
import org.gelato.ce.core.delegation.DelegationStore.Proxy;
import org.gelato.ce.core.delegation.DelegationStore.RequestLimit;
import org.gelato.ce.core.delegation.DelegationStore.Stored;
import org.gelato.ce.core.delegation.KeyPool.RequestKey;
import org.gelato.ce.core.delegation.TokenStore.Sealed;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.service.JobDelegations;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.core.step.Steps;
import org.gelato.ce.json.FaultCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delegation service (docs/developer/protocol/delegation-wire.md). Called from request threads of all protocols; thread-safe,
 * also over several nodes on one database.
 *
 * <p>A proxy counts as delegated once its row is committed; its file follows. After a crash in between, {@link #repair}
 * at start-up writes the file. A renewal is four statements and one file write whatever the number of jobs: jobs refer to
 * the delegation, and JobInfo reads its text from there, so that no command row is added to each job as in the original.
 */
public final class DelegationService implements Delegations, JobDelegations {
    private static final Logger log = LoggerFactory.getLogger(DelegationService.class);
    private static final int ROUNDS = 5;
    private static final int MAX_INFO_BYTES = 60_000;
    private static final int MAX_VO = 255;
    /** Later than any proxy's end. */
    private static final Instant WHENEVER = Instant.parse("9999-12-31T00:00:00Z");
    /** A proxy with attributes of a VO and its key. */
    private static final int USUAL_BYTES = 16 << 10;

    private static final int MAX_REQUESTS = 100;
    private static final Duration REQUESTS_WITHIN = Duration.ofMinutes(10);
    /** The original client signs for whole minutes: the same proxy delegated again may end that much earlier. */
    private static final Duration SAME_END = Duration.ofMinutes(2);

    private final DelegationStore store;
    private final TokenStore tokens;
    private final OwnerStore owners;
    private final ProxyFiles files;
    private final KeyPool keys;
    private final SharedKeys shared;
    private final KeyVault vault;
    private final ProxyCheck check;
    private final ProxyFileWriter writer;
    private final DelegationRemoval removal;
    private final DelegationSweeper sweeper;
    private final Delegations.Quota quota;
    private final Clock clock;
    private final AuditTrail audit;
    private final String pathSuffix;
    private final KnownDelegations known = new KnownDelegations();
    private final AtomicLong lastMillis = new AtomicLong();

    /**
     * Keys of the proxies that are delegated.
     *
     * @param pool makes them ahead; closed by its creator
     * @param vault they are kept by
     * @param reuse how long new delegations of an owner share a key; zero for never
     */
    public record Keys(KeyPool pool, KeyVault vault, Duration reuse) {}

    /**
     * Reads the database once, so the schema must be there.
     *
     * @param check of what is delegated
     * @param listeners notified of what happens
     * @param quota of each user
     */
    public DelegationService(
            Database database,
            OwnerStore owners,
            ProxyFiles files,
            Keys keys,
            ProxyCheck check,
            DelegationEnd.Listeners listeners,
            Delegations.Quota quota,
            Clock clock) {
        this.store = new DelegationStore(database);
        this.tokens = new TokenStore(database);
        this.owners = owners;
        this.files = files;
        this.keys = keys.pool();
        this.shared = new SharedKeys(this.keys, keys.reuse(), clock);
        this.vault = keys.vault();
        this.check = check;
        this.writer = new ProxyFileWriter(
                store, files, new ProxyFileContent(this.keys, clock), vault, clock, System::nanoTime);
        this.removal = new DelegationRemoval(store, files, listeners.end(), clock);
        this.sweeper = new DelegationSweeper(store, removal, writer, quota, clock);
        this.quota = quota;
        this.clock = clock;
        this.audit = listeners.audit();
        this.pathSuffix = store.pathSuffix();
    }

    /** The sweeper of this service, for the scheduler. */
    public DelegationSweeper sweeper() {
        return sweeper;
    }

    /** Writes proxy files a crash or a failed write left behind; called once at start-up. Returns how many. */
    public int repair() {
        return writer.repair();
    }

    @Override
    public String getProxyReq(Caller caller, String id) {
        // an id of the caller's may have several requests, which differ by their keys
        return withOwnKey(key -> newRequest(caller, id, key, named(caller)));
    }

    @Override
    public NewProxyReq getNewProxyReq(Caller caller) {
        String id = newId(caller);
        return new NewProxyReq(newRequestOf(caller, id, named(caller)), id);
    }

    @Override
    public NewProxyReq newUnnamedReq(Caller caller) {
        String id = newId(caller);
        return new NewProxyReq(newRequestOf(caller, id, RequestKey::request), id);
    }

    @Override
    public String renewProxyReq(Caller caller, String id) {
        return renewal(caller, id, named(caller));
    }

    @Override
    public String renewUnnamedReq(Caller caller, String id) {
        return renewal(caller, id, RequestKey::request);
    }

    /** Never the same twice, as two delegations of one caller must differ. */
    private String newId(Caller caller) {
        // a clock that ticks in microseconds has no millis()
        long millis = lastMillis.updateAndGet(
                last -> Math.max(last + 1, clock.instant().toEpochMilli()));
        return DelegationIds.ofIdentity(caller.identity()) + millis;
    }

    /** For an id that was made for it. */
    private String newRequestOf(Caller caller, String id, Function<RequestKey, String> text) {
        return shared.areShared()
                ? newRequest(caller, id, shared.forNew(caller.identity()), text)
                : withOwnKey(key -> newRequest(caller, id, key, text));
    }

    private String newRequest(Caller caller, String id, RequestKey pair, Function<RequestKey, String> text) {
        return request(
                caller,
                id,
                pair,
                text,
                store::requestNew,
                key -> store.isEnded(key)
                        ? ended(caller, key.clientId())
                        : new DelegationRefused(
                                FaultCode.DELEGATION_EXISTS,
                                name(caller, key.clientId()) + " already exists! please invoke renewDelegationReq()"));
    }

    private String renewal(Caller caller, String id, Function<RequestKey, String> text) {
        return withOwnKey(pair ->
                request(caller, id, pair, text, store::requestRenewal, key -> notFound(caller, key.clientId())));
    }

    /** @param id as the caller gave it; null and the empty text leave it out */
    private void done(AuditEvent event, Caller caller, String id) {
        audit.done(AuditAct.by(caller, event).with(AuditField.DELEGATION, id));
    }

    /** Stores a request, unless there are too many. */
    @FunctionalInterface
    private interface Storing {
        boolean store(DelegationKey key, byte[] keyHash, byte[] sealedKey, Instant now, RequestLimit limit);
    }

    /** With a key that no other delegation has; one that was not used goes back, so that nobody uses up those made ahead. */
    private String withOwnKey(Function<RequestKey, String> request) {
        RequestKey key = keys.take();
        try {
            return request.apply(key);
        } catch (DelegationRefused e) {
            keys.giveBack(key);
            throw e;
        }
    }

    /** One user cannot fill the table. */
    private String request(
            Caller caller,
            String id,
            RequestKey made,
            Function<RequestKey, String> text,
            Storing storing,
            Function<DelegationKey, DelegationRefused> refusal) {
        DelegationKey key = key(caller, id);
        Instant now = clock.instant();
        RequestLimit limit = new RequestLimit(MAX_REQUESTS, now.minus(REQUESTS_WITHIN));
        KeyPair pair = made.pair();
        String request = text.apply(made);
        if (storing.store(key, ProxyChain.keyHash(pair.getPublic()), vault.seal(pair.getPrivate()), now, limit)) {
            Steps.reached(Step.RENEW_REQUESTED);
            done(AuditEvent.DELEGATION_REQUEST, caller, id);
            return request;
        }
        throw store.tooMany(key.subject(), limit)
                ? new DelegationRefused(name(caller, key.clientId()) + " not requested: " + MAX_REQUESTS
                        + " requests of this user in the last " + REQUESTS_WITHIN.toMinutes()
                        + " minutes still wait for their proxies; send these, or come back later")
                : refusal.apply(key);
    }

    @Override
    public void putProxy(Caller caller, String id, String pemChain) {
        put(caller, id, pemChain);
        done(AuditEvent.DELEGATION_PUT, caller, id);
    }

    private void put(Caller caller, String id, String pemChain) {
        DelegationKey key = key(caller, id);
        ProxyChain chain = ProxyChain.parse(pemChain);
        check.chain(caller, key.clientId(), chain);
        for (int round = 0; round < ROUNDS; round++) {
            Found found = store.lookup(key, chain.keyHash());
            if (found.request().isEmpty()) {
                Stored same = again(caller, key, chain, found);
                if (store.confirm(same.id(), 0, clock.instant())) {
                    write(caller, key, same, true);
                    return;
                }
                continue;
            }
            Proxy proxy = checked(key, chain, found.request().get());
            Steps.reached(Step.PROXY_CHECKED);
            if (found.delegation().filter(old -> isSame(old, chain, proxy)).isPresent()) {
                if (keep(caller, key, found)) {
                    return;
                }
                continue;
            }
            Optional<Stored> stored = store(caller, key, chain, proxy, found);
            if (stored.isPresent()) {
                Steps.reached(Step.PROXY_STORED);
                known.forget(key);
                write(caller, key, stored.get(), found.delegation().isEmpty());
                return;
            }
        }
        if (store.isEnded(key)) {
            throw ended(caller, key.clientId());
        }
        throw ServiceException.internal(
                "delegation " + key.clientId() + " changes faster than it can be stored", new IllegalStateException());
    }

    @Override
    public Instant getTerminationTime(Caller caller, String id) {
        DelegationKey key = key(caller, id);
        return store.expiresAt(key).orElseThrow(() -> notFound(caller, key.clientId()));
    }

    @Override
    public List<Listed> list(Caller caller) {
        return store.list(owners.subject(caller.identity()), owners.account(caller.account()), MAX_LISTED);
    }

    @Override
    public String chain(Caller caller, String id) {
        DelegationKey key = key(caller, id);
        return store.chain(key).orElseThrow(() -> notFound(caller, key.clientId()));
    }

    @Override
    public String putToken(Caller caller, DelegatedToken token) {
        String id = DelegationIds.random();
        DelegationKey key = stored(caller, id);
        Sealed sealed = sealed(token);
        long bytes = (long) sealed.text().length + sealed.info().length();
        Delegations.Quota.Used used = store.used(key.subject());
        if (!quota.hasRoom(used, bytes)) {
            throw new DelegationRefused("token not delegated: " + quota.refusal(used, bytes));
        }
        Path file = files.token(caller, DelegationIds.fileName(id, pathSuffix));
        int row = tokens.create(key, sealed, caller.identity().vo(), file, clock.instant());
        Steps.reached(Step.PROXY_STORED);
        write(caller, key, new Stored(row, DelegationKind.JWT, caller.account(), file, "", sealed.text()), true);
        done(AuditEvent.DELEGATION_PUT, caller, id);
        return id;
    }

    @Override
    public void renewToken(Caller caller, String id, DelegatedToken token) {
        DelegationKey key = key(caller, id);
        Stored renewed =
                tokens.renew(key, sealed(token), clock.instant()).orElseThrow(() -> notFound(caller, key.clientId()));
        Steps.reached(Step.PROXY_STORED);
        known.forget(key);
        write(caller, key, renewed, false);
        done(AuditEvent.DELEGATION_PUT, caller, id);
    }

    private Sealed sealed(DelegatedToken token) {
        Instant now = clock.instant();
        if (!token.expiresAt().isAfter(now)) {
            throw new DelegationRefused("token not delegated: it ended at " + token.expiresAt());
        }
        return new Sealed(vault.seal(token.text()), ProxyInfoText.ofToken(token.expiresAt()), token.expiresAt());
    }

    @Override
    public Optional<DelegationKind> kind(Caller caller, String id) {
        return tokens.kind(key(caller, id));
    }

    @Override
    public String unsignedToken(Caller caller, String id) {
        DelegationKey key = key(caller, id);
        Stored token = tokens.stored(key).orElseThrow(() -> notFound(caller, key.clientId()));
        String text = vault.unsealText(token.sealedKey());
        return text.substring(0, text.lastIndexOf('.'));
    }

    @Override
    public boolean release(Caller caller, String id) {
        DelegationKey key = key(caller, id);
        Ending delegation = store.ending(key).orElseThrow(() -> notFound(caller, key.clientId()));
        // A job that is registered in between ends as with destroy: the request to remove it was answered.
        if (store.inUse(delegation.id())) {
            return false;
        }
        end(key, delegation);
        done(AuditEvent.DELEGATION_DESTROY, caller, id);
        return true;
    }

    @Override
    public void destroy(Caller caller, String id) {
        DelegationKey key = key(caller, id);
        end(key, store.ending(key).orElseThrow(() -> notFound(caller, key.clientId())));
        done(AuditEvent.DELEGATION_DESTROY, caller, id);
    }

    private void end(DelegationKey key, Ending delegation) {
        known.forget(key);
        removal.end(List.of(delegation), WHENEVER, (unended, e) -> {
            throw e;
        });
        known.forget(key);
    }

    @Override
    public Map<String, Ref> find(Caller caller, Collection<String> ids) {
        Map<String, DelegationKey> resolved = keys(caller, ids);
        Instant now = clock.instant();
        long changes = known.changes();
        Map<DelegationKey, Ref> found = new HashMap<>();
        Set<DelegationKey> unknown = new LinkedHashSet<>();
        for (DelegationKey key : resolved.values()) {
            known.find(key, now).ifPresentOrElse(ref -> found.put(key, ref), () -> unknown.add(key));
        }
        if (!unknown.isEmpty()) {
            store.find(unknown).forEach((key, ref) -> {
                found.put(key, ref);
                known.add(key, ref, now, changes);
            });
        }
        Map<String, Ref> asGiven = new HashMap<>(resolved.size());
        resolved.forEach((given, key) -> {
            if (found.containsKey(key)) {
                asGiven.put(given, found.get(key));
            }
        });
        return asGiven;
    }

    @Override
    public void forget(Caller caller, Collection<String> ids) {
        keys(caller, ids).values().forEach(known::forget);
    }

    /** What ids name, by the id as it was given; those that can't name a delegation are missing. */
    private Map<String, DelegationKey> keys(Caller caller, Collection<String> ids) {
        Map<String, DelegationKey> keys = new LinkedHashMap<>();
        for (String id : ids) {
            if (id != null && DelegationIds.acceptable(id.strip())) {
                keys.put(id, stored(caller, id.strip()));
            }
        }
        return keys;
    }

    /** The client sends again what is stored already, because its file could not be written: only that is still to do. */
    private static Stored again(Caller caller, DelegationKey key, ProxyChain chain, Found found) {
        return found.delegation()
                .filter(d -> !d.written() && ProxyChain.parse(d.chain()).sameAs(chain))
                .map(d -> new Stored(d.id(), DelegationKind.X509, caller.account(), d.file(), d.chain(), d.sealedKey()))
                .orElseThrow(() -> new DelegationRefused("Delegation request not found! No request under the id "
                        + key.clientId() + " waits for a certificate of this key"));
    }

    private Proxy checked(DelegationKey key, ProxyChain chain, Pending request) {
        PrivateKey own;
        try {
            own = vault.unseal(request.sealedKey());
        } catch (IllegalStateException e) {
            log.error("request of delegation {}: {}", key.clientId(), e.getMessage());
            throw ServiceException.internal("the private key of the delegation request can't be read", e);
        }
        if (!belong(own, chain.leaf().getPublicKey())) {
            throw new DelegationRefused("The public key of the proxy is not that of the delegation request [delegId="
                    + key.clientId() + "]");
        }
        AttributeReader.Attributes attributes = check.attributes(key.clientId(), chain);
        String info = ProxyInfoText.of(chain, attributes);
        if (info.getBytes(StandardCharsets.UTF_8).length > MAX_INFO_BYTES
                || (attributes.vo() != null && attributes.vo().length() > MAX_VO)) {
            throw new DelegationRefused(
                    "Cannot validate proxy " + key.clientId() + ": its names or attributes are too long");
        }
        return new Proxy(attributes.vo(), attributes.fqans(), chain.pem(), request.sealedKey(), info, chain.end());
    }

    /** Stores a checked proxy; empty when another caller was faster and the state must be read again. */
    private Optional<Stored> store(Caller caller, DelegationKey key, ProxyChain chain, Proxy proxy, Found found) {
        int request = found.request().orElseThrow().id();
        Instant now = clock.instant();
        Optional<Existing> existing = found.delegation();
        if (existing.isEmpty()) {
            Path file = proxyFile(caller, key.clientId());
            return store.create(key, proxy, file, request, now, quota)
                    .map(id -> new Stored(
                            id, DelegationKind.X509, caller.account(), file, proxy.chain(), proxy.sealedKey()));
        }
        Existing old = existing.get();
        if (chain.end().isBefore(old.expiresAt())) {
            throw new DelegationRefused(name(caller, key.clientId()) + " not renewed: the new proxy ends at "
                    + chain.end() + ", before the present one, which ends at " + old.expiresAt()
                    + (old.expiresAt().minus(SAME_END).isAfter(chain.end()) ? "" : ", and has other VOMS attributes"));
        }
        if (!old.fqans().equals(String.join("\n", proxy.fqans()))) {
            log.info(
                    "delegation {} of {} is renewed with other VOMS attributes",
                    key.clientId(),
                    caller.identity().subject());
        }
        checkGrowth(caller, key, proxy, old);
        return store.renew(old.id(), proxy, request, now)
                ? Optional.of(new Stored(
                        old.id(), DelegationKind.X509, caller.account(), old.file(), proxy.chain(), proxy.sealedKey()))
                : Optional.empty();
    }

    /** A renewal by a usual proxy is never refused for its size, whatever was there before. */
    private void checkGrowth(Caller caller, DelegationKey key, Proxy proxy, Existing old) {
        long growth = proxy.bytes() - old.chain().length();
        if (proxy.bytes() <= USUAL_BYTES || growth <= 0) {
            return;
        }
        Delegations.Quota.Used used = store.used(key.subject());
        if (used.bytes() + growth > quota.bytes()) {
            throw new DelegationRefused(name(caller, key.clientId()) + " not renewed: " + quota.refusal(used, growth));
        }
    }

    /** Whether the proxy gives nothing the present one does not: the same attributes, and an end at most a little earlier. */
    private static boolean isSame(Existing old, ProxyChain chain, Proxy proxy) {
        return chain.end().isBefore(old.expiresAt())
                && !chain.end().isBefore(old.expiresAt().minus(SAME_END))
                && old.fqans().equals(String.join("\n", proxy.fqans()));
    }

    /**
     * The present proxy stays, and only what is still missing of it is written; the request has served its end, and the delegation
     * counts as renewed. False when it has ended meanwhile.
     */
    private boolean keep(Caller caller, DelegationKey key, Found found) {
        Existing old = found.delegation().orElseThrow();
        if (!store.confirm(old.id(), found.request().orElseThrow().id(), clock.instant())) {
            return false;
        }
        if (!old.written()) {
            write(
                    caller,
                    key,
                    new Stored(
                            old.id(), DelegationKind.X509, caller.account(), old.file(), old.chain(), old.sealedKey()),
                    false);
        }
        return true;
    }

    private void write(Caller caller, DelegationKey key, Stored proxy, boolean firstTime) {
        boolean there;
        try {
            there = writer.write(proxy, firstTime);
        } catch (IOException e) {
            log.warn(
                    "delegation {} of {}: {}", key.clientId(), caller.identity().subject(), e.getMessage());
            throw new DelegationRefused(name(caller, key.clientId())
                    + " is stored, but its file is still to be written; "
                    + (e.getCause() instanceof DiskFullException
                            ? "the disk of the CE is full: send the same again when its administrators have made room"
                            : "send the same again, and when that does not help, write to the administrators of the CE: "
                                    + e.getMessage()));
        }
        if (!there) {
            throw notFound(caller, key.clientId());
        }
        Steps.reached(Step.PROXY_MARKED);
    }

    private Path proxyFile(Caller caller, String clientId) {
        return files.proxy(caller, DelegationIds.fileName(clientId, pathSuffix));
    }

    private DelegationKey key(Caller caller, String givenId) {
        return stored(caller, DelegationIds.resolve(caller.identity(), givenId));
    }

    private DelegationKey stored(Caller caller, String clientId) {
        return new DelegationKey(owners.subject(caller.identity()), owners.account(caller.account()), clientId);
    }

    /** A request that names the caller, as clients of the SOAP protocol know it. */
    private static Function<RequestKey, String> named(Caller caller) {
        return key -> named(caller, key.pair());
    }

    private static String named(Caller caller, KeyPair pair) {
        try {
            return CertificateRequest.pem(caller.identity() instanceof GridIdentity x509 ? x509.dn() : "", pair);
        } catch (IllegalArgumentException e) {
            throw new DelegationRefused(e.getMessage());
        }
    }

    private static boolean belong(PrivateKey own, PublicKey key) {
        return own instanceof RSAPrivateCrtKey mine
                && key instanceof RSAPublicKey theirs
                && mine.getModulus().equals(theirs.getModulus())
                && mine.getPublicExponent().equals(theirs.getPublicExponent());
    }

    private static DelegationRefused ended(Caller caller, String clientId) {
        return new DelegationRefused(name(caller, clientId)
                + " has ended and is being removed; request it anew in a few minutes, or under another id");
    }

    private static DelegationRefused notFound(Caller caller, String clientId) {
        return new DelegationRefused(FaultCode.DELEGATION_UNKNOWN, name(caller, clientId) + " not found!");
    }

    private static String name(Caller caller, String clientId) {
        return "delegation [delegId=" + clientId + "; dn=" + caller.identity().subject() + "; localUser="
                + caller.account() + "]";
    }
}
