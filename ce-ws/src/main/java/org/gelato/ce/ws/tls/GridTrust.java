package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.OCSPCheckingMode;
import eu.emi.security.authn.x509.OCSPParametes;
import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.StoreUpdateListener;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import eu.emi.security.authn.x509.helpers.proxy.ProxyHelper;
import eu.emi.security.authn.x509.impl.ValidatorParams;
import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.Repeated;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.ws.tls.directory.ClockDoubts;
import org.gelato.ce.ws.tls.directory.CopyDirectory;
import org.gelato.ce.ws.tls.directory.LastGoodCopy;
import org.gelato.ce.ws.tls.directory.VomsDirectory;
import org.italiangrid.voms.ac.VOMSACValidator;
import org.italiangrid.voms.ac.VOMSValidationResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The site's trust: CA certificates, CRLs, signing policies and namespaces, VOMS servers, all kept in memory. Their files
 * are checked every {@link TrustConfig#refresh} on a thread of its own and read again when one has changed; of a file
 * that can't be read the last valid version counts. One instance serves the TLS handshake, the attribute
 * certificates and the delegation service ({@link #validator}). Any thread may call. The network is not used: no OCSP.
 */
public final class GridTrust implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GridTrust.class);
    static final int MAX_CHAIN = 30;
    private static final int MAX_DN = 2048;

    /** Reads a directory of trust anchors. */
    interface Reader {
        /** @param listed the CAs whose CRLs must be looked at */
        PathValidator read(
                Path directory, NamespaceCheckingMode namespaces, ValidatorParams params, Set<X500Principal> listed);
    }

    private final TrustConfig config;
    private final Reader reader;
    private final CopyDirectory place;
    private final LastGoodCopy authorities;
    private final LastGoodCopy vomsServers;
    private final VomsDirectory directory;
    private final RevocationLists revocationLists;
    private final ChainRules rules;
    private final ReplaceableValidator validator;
    private final ReplaceableValidator clients;
    private final VomsAttributes voms;
    private final Clock clock;
    private final ClockDoubts doubts;
    private final ScheduledExecutorService reloader;
    private final AtomicLong version = new AtomicLong();
    /** What {@link #validator} asks at present. */
    private volatile PathValidator decider;

    private final Object judging = new Object();
    /** Written under {@link #judging}, which guards the two below; null before the first judgement. */
    private volatile TrustState judged;

    private long judgedVersion;
    private Instant judgedUntil;
    /** Whether files have changed that are not yet read again. Of the reloader's thread alone. */
    private boolean authoritiesChanged;

    private boolean vomsServersChanged;
    private final Repeated reload =
            Repeated.of("reading of the trust directories (what was read last stays in force)", this::reload);

    /**
     * Reads what is there.
     *
     * @param copies directory for copies of the files, made when absent; what a killed process left in it is removed
     * @throws IllegalArgumentException when there is no place for the copies
     */
    public GridTrust(TrustConfig config, Path copies) {
        this(config, copies, PathValidator::new, Clock.systemUTC());
    }

    GridTrust(TrustConfig config, Path copies, Reader reader, Clock clock) {
        this.config = config;
        this.reader = reader;
        this.clock = clock;
        doubts = new ClockDoubts(clock);
        try {
            place = new CopyDirectory(copies);
            authorities = new LastGoodCopy(
                    config.caDir(), 1, TrustFileChecks::readsAuthority, TrustFileChecks::authority, place.make("ca"));
            vomsServers = new LastGoodCopy(
                    config.vomsDir(), 2, TrustFileChecks::readsVoms, TrustFileChecks::voms, place.make("voms"));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "no place for copies of trust files in " + copies + ": " + Messages.of(e), e);
        }
        revocationLists = new RevocationLists(config.caDir(), clock);
        leaveOut();
        rules = new ChainRules(revocationLists);
        validator = new ReplaceableValidator(read(), rules::judge);
        clients = new ReplaceableValidator(validator, new ClientRules(config.keyUsage(), doubts)::judge);
        directory = new VomsDirectory(vomsServers.directory(), config.vomsDir());
        voms = new VomsAttributes(directory, validator, doubts);
        state();
        reloader = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "trust-directories");
            thread.setDaemon(true);
            return thread;
        });
        long millis = config.refresh().toMillis();
        reloader.scheduleWithFixedDelay(reload, millis, millis, TimeUnit.MILLISECONDS);
    }

    private X509CertChainValidatorExt read() {
        Set<X500Principal> listed = Set.of();
        if (config.crlMode() != CrlCheckingMode.IGNORE) {
            listed = revocationLists.read(authorities.directory());
        }
        StoreUpdateListener listener = GridTrust::log;
        PathValidator read = reader.read(
                authorities.directory(),
                config.signingPolicy() == TrustConfig.SigningPolicy.REQUIRE
                        ? NamespaceCheckingMode.EUGRIDPMA_GLOBUS_REQUIRE
                        : NamespaceCheckingMode.EUGRIDPMA_GLOBUS,
                new ValidatorParams(
                        new RevocationParameters(config.crlMode(), new OCSPParametes(OCSPCheckingMode.IGNORE)),
                        ProxySupport.ALLOW,
                        List.of(listener)),
                listed);
        authoritiesChanged = revocationLists.incomplete() || read.lacksLists();
        decider = read;
        return read;
    }

    private boolean leaveOut() {
        return config.crlMode() != CrlCheckingMode.IGNORE && revocationLists.leaveOut(authorities.leftOut());
    }

    /** On the thread of its own. */
    void reloadIfChanged() {
        reload.run();
    }

    private void reload() {
        // Each stays to be done until it was done: reading may fail for a moment, as where there are no descriptors
        // left.
        authoritiesChanged |= authorities.refresh();
        vomsServersChanged |= vomsServers.refresh();
        boolean changed = leaveOut() || authoritiesChanged || vomsServersChanged;
        if (authoritiesChanged) {
            validator.replace(read());
        }
        if (vomsServersChanged) {
            vomsServersChanged = !directory.reload();
        }
        if (changed) {
            version.incrementAndGet();
        }
        state();
    }

    /** Files whose present content is not in force, and why. */
    public Map<Path, String> broken() {
        Map<Path, String> all = authorities.broken();
        all.putAll(vomsServers.broken());
        return all;
    }

    /** When the CRL of each CA ends, by the CA's name in slash form; none where CRLs are ignored. */
    public Map<String, Instant> revocationListEnds() {
        return revocationLists.ends();
    }

    /**
     * What the trust in force decides of each CA now. It is judged anew when files have changed, when a CRL or a CA has ended, and
     * after {@link TrustConfig#refresh}; a CA then costs what a new chain of it costs. What has changed is logged.
     */
    public TrustState state() {
        synchronized (judging) {
            Instant now = clock.instant();
            if (judged == null
                    || judgedVersion != version.get()
                    || !now.isBefore(judgedUntil)
                    // The clock was set back.
                    || now.plus(config.refresh()).isBefore(judgedUntil)) {
                long present = version.get();
                TrustState before = judged;
                judged = judge(now);
                judgedVersion = present;
                report(before == null ? Map.of() : before.refused(), judged.refused());
            }
            return judged;
        }
    }

    /** The last judgement of {@link #state}, for threads that must not wait for another one. */
    public TrustState judged() {
        return judged;
    }

    private TrustState judge(Instant now) {
        PathValidator path = decider;
        X509Certificate[] all = path.getTrustedIssuers();
        Map<String, String> refused = new TreeMap<>();
        Map<String, String> limited = new TreeMap<>();
        Set<String> withoutList = new TreeSet<>();
        Set<String> accepted = new HashSet<>();
        Instant until = now.plus(config.refresh());
        for (X509Certificate ca : all) {
            String name = DnForms.slash(DnForms.rfc2253(ca.getSubjectX500Principal()));
            Optional<String> why = rules.refusal(path.probe(ca), all);
            why.ifPresentOrElse(reason -> refused.put(name, reason + unusable(ca)), () -> accepted.add(name));
            List<String> points = path.points(ca);
            if (config.crlMode() != CrlCheckingMode.IGNORE) {
                if (!points.isEmpty()) {
                    limited.put(name, String.join(", ", points));
                }
                if (!path.hasList(ca)) {
                    withoutList.add(name);
                }
            }
            until = sooner(now, until, ca.getNotAfter().toInstant());
        }
        for (Instant end : revocationLists.ends().values()) {
            until = sooner(now, until, end);
        }
        judgedUntil = until;
        // A CA that got a new key has two certificates, and one that is accepted.
        refused.keySet().removeAll(accepted);
        limited.keySet().removeAll(refused.keySet());
        return new TrustState(refused, limited, withoutList, files());
    }

    private static Instant sooner(Instant now, Instant until, Instant end) {
        // The library compares whole milliseconds: in the one in which something ends it still accepts it.
        Instant ended = end.plusMillis(1);
        return ended.isAfter(now) && ended.isBefore(until) ? ended : until;
    }

    /** Other files of a CA that can't be used. */
    private String unusable(X509Certificate ca) {
        String hash = TrustFileChecks.hash(ca.getSubjectX500Principal());
        return authorities.leftOut().entrySet().stream()
                .filter(file -> TrustFileChecks.isPolicy(file.getKey())
                        && TrustFileChecks.hash(file.getKey()).equals(hash))
                .map(file -> " (" + file.getKey() + " can't be used: " + file.getValue() + ")")
                .collect(Collectors.joining());
    }

    private Map<Path, String> files() {
        Map<Path, String> files = new TreeMap<>(vomsServers.broken());
        authorities.leftOut().forEach((file, why) -> {
            if (TrustFileChecks.isAnchor(file)) {
                files.put(file, why);
            }
        });
        String unlisted = authorities.broken().get(config.caDir());
        if (unlisted != null) {
            files.put(config.caDir(), unlisted);
        }
        return files;
    }

    private void report(Map<String, String> before, Map<String, String> refused) {
        refused.forEach((ca, why) -> {
            if (!why.equals(before.get(ca))) {
                log.error("certificates of {} are refused: {} (its files are in {})", ca, why, config.caDir());
            }
        });
        before.keySet().stream()
                .filter(ca -> !refused.containsKey(ca))
                .forEach(ca -> log.info("certificates of {} are accepted again", ca));
    }

    /** Whether attributes of a VO may be valid, as there is a description or a certificate of a VOMS server for it. */
    public boolean hasVomsServer(String vo) {
        return directory.knows(vo);
    }

    /** Another number after each change of what is trusted. */
    long version() {
        return version.get();
    }

    /** The validator of chains of users, with proxies. Belongs to this object. */
    public X509CertChainValidatorExt clients() {
        return clients;
    }

    /** The validator of all other chains: of VOMS servers, of issuers of tokens. Belongs to this object. */
    public X509CertChainValidatorExt validator() {
        return validator;
    }

    /** How old a judgement about a chain may become before it is made anew. */
    Duration refresh() {
        return config.refresh();
    }

    /** The validator of attribute certificates, against the same VOMS directory. Belongs to this object. */
    public VOMSACValidator attributeValidator() {
        return voms.validator();
    }

    /** Why an attribute certificate is not valid: issuer found, issuer expected, and the file that names it. */
    public String refusal(VOMSValidationResult result) {
        return voms.explain(result);
    }

    /** Whether what users send contradicts this host's clock. */
    public ClockDoubts clock() {
        return doubts;
    }

    VomsAttributes voms() {
        return voms;
    }

    /**
     * What was found of a valid chain.
     *
     * @param limited whether it holds a limited proxy
     * @param until when a certificate of it or of its CAs, or one of their CRLs, ends; {@link Instant#MAX} for never
     */
    record Valid(boolean limited, Instant until) {}

    /**
     * Validates a chain, first certificate first.
     *
     * @throws RefusedChainException when it does not lead to a trusted CA, has ended, was revoked, is outside the CA's
     *     namespace, or holds a proxy that does not inherit its user's rights
     */
    Valid check(X509Certificate[] chain) throws RefusedChainException {
        String subject = DnForms.rfc2253(chain[0].getSubjectX500Principal());
        if (chain.length > MAX_CHAIN) {
            throw new RefusedChainException(subject, "the chain holds " + chain.length + " certificates");
        }
        try {
            ValidationResult result = clients.validate(chain);
            if (!result.isValid()) {
                throw new RefusedChainException(subject, ChainRules.reasons(result));
            }
            if (user(chain).length() > MAX_DN) {
                throw new RefusedChainException(subject, "the DN is longer than " + MAX_DN + " characters");
            }
            return new Valid(EndEntity.isProxy(chain[0]) && limited(subject, chain), end(result.getValidChain()));
        } catch (RefusedChainException e) {
            throw e;
        } catch (CertificateException | IOException | RuntimeException e) {
            log.debug("unreadable chain of {}", subject, e);
            throw new RefusedChainException(subject, "the chain can't be read: " + Messages.of(e));
        }
    }

    /** When the first of some certificates ends, or a CRL that speaks of one. */
    private Instant end(Iterable<X509Certificate> certificates) {
        Instant first = revocationLists.nextEnd(certificates);
        for (X509Certificate c : certificates) {
            Instant end = c.getNotAfter().toInstant();
            first = end.isBefore(first) ? end : first;
        }
        return first;
    }

    /**
     * The end-entity subject of a chain, RFC 2253.
     *
     * @throws IllegalArgumentException when there is no end-entity certificate in it
     */
    public static String user(X509Certificate[] chain) {
        int position = EndEntity.position(chain);
        if (position == chain.length) {
            throw new IllegalArgumentException("all certificates of the chain are proxies");
        }
        return DnForms.rfc2253(chain[position].getSubjectX500Principal());
    }

    private static boolean limited(String subject, X509Certificate[] chain) throws CertificateException, IOException {
        for (ProxyPolicy policy : new ProxyChainInfo(chain).getPolicy()) {
            String language = policy.getPolicyOID();
            // RFC 3820 section 3.8.2: rights that are not inherited or not understood are no rights.
            if (!ProxyPolicy.INHERITALL_POLICY_OID.equals(language)
                    && !ProxyPolicy.LIMITED_PROXY_OID.equals(language)) {
                throw new RefusedChainException(
                        subject,
                        "a proxy of the chain does not inherit the user's rights: policy language " + language);
            }
        }
        for (X509Certificate c : chain) {
            if (ProxyHelper.isLimited(c)) {
                return true;
            }
        }
        return false;
    }

    private static String reason(Exception cause) {
        return cause == null ? "no reason is given" : Messages.of(cause);
    }

    private static void log(String location, String type, StoreUpdateListener.Severity level, Exception cause) {
        if (level == StoreUpdateListener.Severity.ERROR) {
            log.error("{} {} can't be used: {}", type, location, reason(cause));
        } else if (level == StoreUpdateListener.Severity.WARNING) {
            log.warn("{} {}: {}", type, location, reason(cause));
        } else {
            log.debug("{} {} read", type, location);
        }
    }

    @Override
    public void close() {
        reloader.shutdownNow();
        validator.dispose();
        place.close();
    }
}
