package org.gelato.ce.core.delegation;

import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyChainType;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.TokenIdentity;

/**
 * The checks of putProxy that need the chain alone (docs/developer/protocol/delegation-wire.md section 5). Called on request
 * threads, keeps no state. The caller keeps the order: chain, pending request, attributes.
 */
public final class ProxyCheck {
    /** Chains that mix both have been refused by the chain validation before. */
    private static final Set<ProxyChainType> KNOWN = EnumSet.of(ProxyChainType.LEGACY, ProxyChainType.RFC3820);

    private final ChainValidator validator;
    private final AttributeReader attributes;
    private final Clock clock;

    public ProxyCheck(ChainValidator validator, AttributeReader attributes, Clock clock) {
        this.validator = validator;
        this.attributes = attributes;
        this.clock = clock;
    }

    /** Checks 2 to 4 and 8: the chain is valid now, is a proxy of a known type, and is the caller's where he has a certificate. */
    void chain(Caller caller, String id, ProxyChain chain) {
        Instant now = clock.instant();
        if (!chain.end().isAfter(now)) {
            throw invalid(id, "it expired at " + chain.end());
        }
        proxy(chain);
        pathLength(chain);
        // First, as the validator learns from signed chains whether this host's clock is right.
        Optional<String> flaw = validator.validate(chain.certificates());
        if (chain.begin().isAfter(now)) {
            throw invalid(
                    id,
                    "it is valid from " + chain.begin() + " only, and the clock of this CE shows "
                            + now.truncatedTo(ChronoUnit.SECONDS));
        }
        flaw.ifPresent(why -> {
            throw invalid(id, why);
        });
        type(chain);
        X500Principal endEntity = chain.endEntity()
                .map(X509Certificate::getSubjectX500Principal)
                .orElseThrow(() -> invalid(id, "it holds no end-entity certificate"));
        if (caller.identity() instanceof TokenIdentity) {
            // The token authorizes and has no DN; who holds the key of a proxy may delegate it.
            return;
        }
        String callerDn = caller.certificate().dn();
        if (!same(endEntity, callerDn)) {
            throw new DelegationRefused("Invalid delegation issuer: '" + DnForms.rfc2253(endEntity) + "' " + callerDn);
        }
    }

    /** Check 7: every attribute certificate is valid; having none is allowed. */
    AttributeReader.Attributes attributes(String id, ProxyChain chain) {
        AttributeReader.Attributes found = attributes.read(chain.certificates());
        if (!found.errors().isEmpty()) {
            throw new DelegationRefused("Cannot validate proxy " + id + ": " + String.join("; ", found.errors()));
        }
        return found;
    }

    /** Before the path is looked at, where a certificate that is no proxy is one that no CA signed. */
    private static void proxy(ProxyChain chain) {
        if (!ProxyUtils.isProxy(chain.leaf())) {
            throw new DelegationRefused(
                    "Proxy type not recognised: the certificate that your client signed is no proxy:"
                            + " it lacks proxyCertInfo");
        }
    }

    /** The proxies above this one let it be; that no further one fits below it is no fault, see {@link ProxyFileContent}. */
    private static void pathLength(ProxyChain chain) {
        Optional<X509Certificate> tooShort;
        try {
            tooShort = ProxyPath.exceeded(chain.certificates());
        } catch (IOException | RuntimeException e) {
            // Said by the validation, which stumbles over it too.
            return;
        }
        if (tooShort.isPresent()) {
            throw new DelegationRefused("Cannot delegate: the proxy "
                    + tooShort.get().getSubjectX500Principal().getName()
                    + " has a path length that allows no further proxy below it: make one that does, for instance by"
                    + " voms-proxy-init without -path-length, and delegate again");
        }
    }

    private static void type(ProxyChain chain) {
        ProxyChainType type;
        try {
            type = new ProxyChainInfo(chain.certificates()).getProxyType();
        } catch (CertificateException | RuntimeException e) {
            throw new DelegationRefused("Proxy type not recognised: its extensions do not parse");
        }
        if (!KNOWN.contains(type)) {
            throw new DelegationRefused(
                    "Proxy type not recognised: " + type + "; legacy and RFC 3820 chains are accepted");
        }
    }

    /** By the one form that names are compared in: the type in which a certificate holds its letters does not count. */
    private static boolean same(X500Principal subject, String dn) {
        return DnForms.comparable(DnForms.rfc2253(subject)).equals(DnForms.comparable(dn));
    }

    private static DelegationRefused invalid(String id, String why) {
        return new DelegationRefused("Validation failed [delegId=" + id + "]: Proxy certificate is not valid: " + why);
    }
}
