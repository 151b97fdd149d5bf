package org.gelato.ce.ws.token;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.fault.Repeated;

/**
 * Verifies bearer tokens of the configured issuers; docs/developer/protocol/tokens.md. Nothing of a token decides which keys verify it
 * or where they are from but the configuration. A token verified before costs no signature. Any thread may call.
 */
public final class TokenVerifier implements AutoCloseable {
    private static final int TICK_SECONDS = 5;

    private final TokenSettings settings;
    private final Clock clock;
    private final MeterRegistry meters;
    private final Map<String, TokenIssuer> issuers = new LinkedHashMap<>();
    private final Map<String, IssuerKeys> keys = new LinkedHashMap<>();
    private final List<Repeated> turns = new ArrayList<>();
    private final VerifiedTokens verified = new VerifiedTokens();
    private final AtomicLong signatures = new AtomicLong();
    private final ExecutorService fetches;
    private final ScheduledExecutorService ticks;

    /**
     * Reads kept keys and files, and begins to fetch what is to be fetched, without waiting for it.
     *
     * @param trust which servers of issuers are believed
     */
    public TokenVerifier(TokenSettings settings, SSLContext trust, Clock clock, MeterRegistry meters) {
        this.settings = settings;
        this.clock = clock;
        this.meters = meters;
        // As many as fetches at once, one for each issuer, and what the connections need.
        fetches = Executors.newCachedThreadPool(threads("token-key-fetch"));
        ticks = Executors.newSingleThreadScheduledExecutor(threads("token-keys"));
        Semaphore waiting = new Semaphore(DiscoveredKeys.MAX_WAITING);
        KeyFetcher fetcher = new KeyFetcher(trust, fetches, settings.fetchTimeout());
        for (TokenIssuer issuer : settings.issuers()) {
            String name = issuer.issuer();
            issuers.put(name, issuer);
            IssuerKeys its = issuer.keyFile() == null
                    ? new DiscoveredKeys(name, fetcher::fetch, fetches, waiting, settings, clock)
                    : new FileKeys(name, issuer.keyFile(), clock);
            keys.put(name, its);
            turns.add(Repeated.of("keys of " + name, its::tick));
            meter(name, its);
        }
        FunctionCounter.builder("ce.token.signatures.verified", signatures, AtomicLong::get)
                .description("Signatures of tokens verified; those known already are not counted")
                .register(meters);
        ticks.scheduleWithFixedDelay(
                Repeated.of("keys of issuers", this::tick), TICK_SECONDS, TICK_SECONDS, TimeUnit.SECONDS);
    }

    private static ThreadFactory threads(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private void meter(String issuer, IssuerKeys its) {
        Gauge.builder(
                        "ce.token.keys.age",
                        its,
                        k -> k.age()
                                .map(Duration::toSeconds)
                                .map(Long::doubleValue)
                                .orElse(Double.NaN))
                .description("Since the issuer's keys were fetched, or their file was found readable")
                .baseUnit("seconds")
                .tag("issuer", issuer)
                .strongReference(true)
                .register(meters);
        FunctionCounter.builder("ce.token.key.fetches.failed", its, IssuerKeys::failures)
                .description("Fetches and reads of the issuer's keys that failed")
                .tag("issuer", issuer)
                .register(meters);
    }

    /** Has due keys fetched and changed files read. */
    void tick() {
        turns.forEach(Repeated::run);
    }

    /**
     * Verifies a token. May wait for keys of its issuer, for {@link TokenSettings#fetchTimeout} at most.
     *
     * @param compact as it was sent, without {@code Bearer}
     * @throws TokenRefusal why it is not accepted, with the names it claims
     */
    public AccessToken verify(String compact) throws TokenRefusal {
        String fingerprint = Sha256.hex(compact);
        AccessToken known = verified.get(
                fingerprint, clock.instant(), i -> keys.get(i.issuer()).present());
        if (known != null) {
            count("ok");
            return known;
        }
        ClaimedNames names = new ClaimedNames(null, null, null, fingerprint);
        try {
            CompactForm form = CompactForm.parse(compact);
            names = ClaimedNames.of(form.claims(), fingerprint);
            AccessToken token = verify(form, fingerprint);
            count("ok");
            return token;
        } catch (TokenRefusal e) {
            count(e.claim());
            throw e.about(names);
        }
    }

    private AccessToken verify(CompactForm form, String fingerprint) throws TokenRefusal {
        JsonNode iss = form.claims().get("iss");
        TokenIssuer issuer = iss == null || !iss.isTextual() ? null : issuers.get(iss.textValue());
        if (issuer == null) {
            throw TokenRefusal.invalid("iss", "is none of the issuers whose tokens are accepted here");
        }
        TokenHeader header = TokenHeader.read(form.header(), issuer);
        // First what costs nothing: no key is fetched for a token that is refused anyway.
        AccessToken token = TokenClaims.judge(form.claims(), issuer, settings, clock.instant(), fingerprint);
        IssuerKeys all = keys.get(issuer.issuer());
        KeySet its = all.keysFor(header.keyId());
        try {
            verify(its, header, form);
        } catch (TokenRefusal e) {
            // Only its signature shows that a token without kid is of a key that came later.
            KeySet newer = header.keyId() == null ? all.newerThan(its) : its;
            if (newer.equals(its)) {
                throw e;
            }
            its = newer;
            verify(its, header, form);
        }
        verified.put(token, its);
        return token;
    }

    private void verify(KeySet its, TokenHeader header, CompactForm form) throws TokenRefusal {
        signatures.incrementAndGet();
        its.verify(header, form.signed(), form.signature());
    }

    /** @param result {@code ok} or a name of our own, so there are few */
    private void count(String result) {
        meters.counter("ce.tokens", "result", result).increment();
    }

    /** Issuers whose keys could not be fetched or read last time, and why; what was read before may still count. */
    public Map<String, String> problems() {
        Map<String, String> all = new TreeMap<>();
        keys.forEach((issuer, its) -> {
            String problem = its.problem();
            if (problem != null) {
                all.put(issuer, problem);
            }
        });
        return all;
    }

    /** Signatures verified since the start. */
    long signatures() {
        return signatures.get();
    }

    @Override
    public void close() {
        ticks.shutdownNow();
        fetches.shutdownNow();
    }
}
