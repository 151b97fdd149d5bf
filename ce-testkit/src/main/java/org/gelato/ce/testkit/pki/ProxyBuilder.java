package org.gelato.ce.testkit.pki;

import eu.emi.security.authn.x509.proxy.CertificateExtension;
import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import eu.emi.security.authn.x509.proxy.ProxyType;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.x509.AttributeCertificate;

/**
 * Makes a proxy of a user: RFC 3820, 12 hours, with the VOMS attribute of the whole VO unless chosen otherwise. Calls
 * return the builder itself; for one thread.
 */
public final class ProxyBuilder {
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    private final GridCredential user;
    private KeyPair keys;
    private final Clock clock;
    private VomsIssuer issuer;
    private List<String> fqans;
    private VomsIssuer.Holder holder = VomsIssuer.Holder.BY_SUBJECT;
    private ProxyType type = ProxyType.RFC3820;
    private boolean limited;
    private boolean targets;
    private ProxyPolicy policy;
    private Instant notBefore;
    private Instant notAfter;
    private int delegations;
    private Integer pathLength;
    private final List<CertificateExtension> extensions = new ArrayList<>();
    private final List<AttributeCertificate> further = new ArrayList<>();

    ProxyBuilder(GridCredential user, KeyPair keys, VomsIssuer issuer, Clock clock) {
        this.user = user;
        this.keys = keys;
        this.issuer = issuer;
        this.clock = clock;
        fqans = List.of("/" + issuer.vo());
        notBefore = clock.instant().minus(CLOCK_SKEW);
        notAfter = clock.instant().plus(Duration.ofHours(12));
    }

    /** VOMS attributes in this order; none for a plain proxy. */
    public ProxyBuilder fqans(String... names) {
        fqans = List.of(names);
        return this;
    }

    /** Its attribute certificate, and further ones from here on, name the holder by issuer and serial number ({@code newformat}). */
    public ProxyBuilder newFormat() {
        holder = VomsIssuer.Holder.BY_ISSUER;
        return this;
    }

    /** Its attribute certificate is for some hosts only. */
    public ProxyBuilder targets() {
        targets = true;
        return this;
    }

    /** A further attribute certificate, after those before. */
    public ProxyBuilder alsoFrom(VomsIssuer other, String... names) {
        further.add(other.sign(user.certificate(), holder, List.of(names), notBefore, notAfter));
        return this;
    }

    /** A further attribute certificate that was made for somebody else. */
    public ProxyBuilder stolenFrom(GridCredential other) {
        further.add(issuer.sign(other.certificate(), holder, List.of("/" + issuer.vo()), notBefore, notAfter));
        return this;
    }

    /** A further attribute certificate that has ended. */
    public ProxyBuilder expiredAttributes(String... names) {
        Instant end = clock.instant().minus(Duration.ofHours(1));
        further.add(issuer.sign(user.certificate(), holder, List.of(names), end.minus(Duration.ofHours(12)), end));
        return this;
    }

    /** Has the attributes signed by somebody else. */
    public ProxyBuilder issuer(VomsIssuer other) {
        issuer = other;
        return this;
    }

    /** Another RSA key, of so many bits. */
    public ProxyBuilder bits(int bits) {
        keys = CertificateAuthority.newKeys(bits);
        return this;
    }

    /** A limited proxy: may do everything but submit jobs. */
    public ProxyBuilder limited() {
        limited = true;
        return this;
    }

    /** A proxy of the old Globus kind, {@code CN=proxy}. */
    public ProxyBuilder legacy() {
        type = ProxyType.LEGACY;
        return this;
    }

    /** A proxy of the draft before RFC 3820. */
    public ProxyBuilder draft() {
        type = ProxyType.DRAFT_RFC;
        return this;
    }

    /** Another RFC 3820 policy language, by its object identifier. */
    public ProxyBuilder policy(String oid) {
        policy = new ProxyPolicy(oid);
        return this;
    }

    /** A non-critical extension in the first proxy, for instance a malformed one. */
    public ProxyBuilder extension(String oid, ASN1Object value) {
        extensions.add(new CertificateExtension(oid, value.toASN1Primitive(), false));
        return this;
    }

    /** Time left from now on. */
    public ProxyBuilder lifetime(Duration left) {
        notAfter = clock.instant().plus(left);
        return this;
    }

    /** Valid from then on. */
    public ProxyBuilder notBefore(Instant start) {
        notBefore = start;
        return this;
    }

    public ProxyBuilder notAfter(Instant end) {
        notAfter = end;
        return this;
    }

    /** How many proxies may follow below the first; without it any number. RFC 3820 and the draft only. */
    public ProxyBuilder pathLength(int length) {
        pathLength = length;
        return this;
    }

    /** Ended an hour ago. */
    public ProxyBuilder expired() {
        notBefore = clock.instant().minus(Duration.ofHours(13));
        notAfter = clock.instant().minus(Duration.ofHours(1));
        return this;
    }

    /** That many further proxies below the first, as delegations make them; the last one is limited if any is. */
    public ProxyBuilder delegations(int levels) {
        delegations = levels;
        return this;
    }

    /** A proxy for the key of somebody else, as a delegation needs it: the new certificate first. */
    public List<X509Certificate> signFor(PublicKey key) {
        return chain(new KeyPair(key, null));
    }

    public GridCredential make() {
        return new GridCredential(keys.getPrivate(), chain(keys));
    }

    private List<X509Certificate> chain(KeyPair keys) {
        List<X509Certificate> chain = user.chain();
        GridCredential signer = user;
        for (int level = 0; level <= delegations; level++) {
            ProxyCertificateOptions options = new ProxyCertificateOptions(chain.toArray(new X509Certificate[0]));
            options.setType(type);
            options.setPublicKey(keys.getPublic());
            options.setValidityBounds(Date.from(notBefore), Date.from(notAfter));
            if (policy != null) {
                options.setPolicy(policy);
            } else {
                options.setLimited(limited && level == delegations);
            }
            if (level == 0) {
                extensions.forEach(options::addExtension);
                if (pathLength != null) {
                    options.setProxyPathLimit(pathLength);
                }
            }
            try {
                if (level == 0 && !(fqans.isEmpty() && further.isEmpty())) {
                    options.setAttributeCertificates(attributes());
                }
                chain = Arrays.asList(
                        ProxyGenerator.generate(options, signer.key()).getCertificateChain());
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalStateException(e);
            }
            signer = new GridCredential(keys.getPrivate(), chain);
        }
        return chain;
    }

    private AttributeCertificate[] attributes() {
        List<AttributeCertificate> all = new ArrayList<>();
        if (!fqans.isEmpty()) {
            all.add(issuer.sign(user.certificate(), holder, fqans, notBefore, notAfter, targets));
        }
        all.addAll(further);
        return all.toArray(AttributeCertificate[]::new);
    }

    /** Makes the proxy and writes it with mode 0600. */
    public Path write(Path file) {
        return make().write(file);
    }
}
