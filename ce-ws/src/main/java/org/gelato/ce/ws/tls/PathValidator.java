package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.ValidationError;
import eu.emi.security.authn.x509.ValidationErrorCode;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.helpers.ObserversHandler;
import eu.emi.security.authn.x509.helpers.crl.AbstractCRLStoreSPI;
import eu.emi.security.authn.x509.helpers.ns.NamespacePolicy;
import eu.emi.security.authn.x509.helpers.pkipath.BCCertPathValidator;
import eu.emi.security.authn.x509.helpers.trust.OpensslTrustAnchorStore;
import eu.emi.security.authn.x509.helpers.trust.TrustAnchorStore;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.ValidatorParams;
import eu.emi.security.authn.x509.impl.X500NameUtils;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertStore;
import java.security.cert.CertStoreException;
import java.security.cert.CertificateException;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.identity.DnForms;

/**
 * The library's validator of a directory of trust anchors, and what it lacks. It takes a user called {@code proxy} for a proxy. It
 * tries every order of the certificates sent that fits by names, before it looks at a signature: their number grows as the
 * factorial of that of the certificates with one name. So it gets the one path that the signatures make, of keys that cost little.
 */
final class PathValidator extends OpensslCertChainValidator {
    /** More have the same name in no honest chain: a CA that got a new key, and its certificate by the old one. */
    private static final int SAME_NAME = 2;

    /** What is wrong with a probe, which its CA has not signed. */
    private static final Set<ValidationErrorCode> OF_THE_PROBE = EnumSet.of(
            ValidationErrorCode.signatureNotVerified,
            ValidationErrorCode.trustButInvalidCert,
            ValidationErrorCode.nsDeny);

    /** Set while the class above is made. */
    private OpensslTrustAnchorStore store;

    private AbstractCRLStoreSPI lists;

    private final Set<X500Principal> listed;

    /** @param listed the CAs that have a CRL in the directory which must be looked at */
    PathValidator(Path directory, NamespaceCheckingMode namespaces, ValidatorParams params, Set<X500Principal> listed) {
        // No timer of its own: it is made anew when a file has changed. Not lazily: a handshake must not wait for the
        // disk or
        // parse a CRL of megabytes.
        super(directory.toString(), true, namespaces, -1, params, false);
        validator = new WithoutProxies();
        this.listed = Set.copyOf(listed);
    }

    /** Whether the library has not read a CRL that is there: it goes on without, where it finds no descriptor left. */
    boolean lacksLists() {
        return listed.stream().anyMatch(ca -> lists(ca).isEmpty());
    }

    private Collection<X509CRL> lists(X500Principal ca) {
        X509CRLSelector selector = new X509CRLSelector();
        selector.addIssuer(ca);
        try {
            return lists.engineGetCRLs(selector).stream()
                    .map(X509CRL.class::cast)
                    .toList();
        } catch (CertStoreException e) {
            return List.of();
        }
    }

    /** Whether a trusted CA has a CRL. */
    boolean hasList(X509Certificate ca) {
        return !lists(ca.getSubjectX500Principal()).isEmpty();
    }

    /** The distribution points that all CRLs of a CA are limited to. */
    List<String> points(X509Certificate ca) {
        try {
            return Probe.points(lists(ca.getSubjectX500Principal())).stream()
                    .map(DistributionPointName::getName)
                    .flatMap(name -> name instanceof GeneralNames all ? Stream.of(all.getNames()) : Stream.of(name))
                    .map(name -> String.valueOf(name instanceof GeneralName one ? one.getName() : name))
                    .toList();
        } catch (IOException | RuntimeException e) {
            return List.of();
        }
    }

    /**
     * Validates a certificate that a trusted CA could have issued now to anybody.
     *
     * @return valid, with the certificate and the CA as its chain, where nothing is wrong but its signature and its name
     */
    ValidationResult probe(X509Certificate ca) {
        X509Certificate[] chain = {ca};
        List<ValidationError> errors;
        try {
            chain = new X509Certificate[] {Probe.below(ca, lists(ca.getSubjectX500Principal()))};
            boolean anyName = policies(chain, 0).stream().anyMatch(NamespacePolicy::isPermit);
            errors = validate(chain).getErrors().stream()
                    .filter(e -> !OF_THE_PROBE.contains(e.getErrorCode()))
                    .filter(e -> e.getErrorCode() != ValidationErrorCode.nsNotAccepted || !anyName)
                    .toList();
        } catch (RuntimeException e) {
            // The library throws anything over a CRL that it does not expect.
            errors = List.of(ChainRules.error(chain, Messages.of(e)));
        }
        return errors.isEmpty()
                ? new ValidationResult(true, List.of(), Set.of(), List.of(chain[0], ca))
                : new ValidationResult(false, errors);
    }

    private List<NamespacePolicy> policies(X509Certificate[] chain, int position) {
        return Stream.of(store.getPmaNsStore(), store.getGlobusNsStore())
                .map(s -> s.getPolicies(chain, position))
                .filter(p -> p != null && !p.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    @Override
    protected synchronized void init(
            TrustAnchorStore anchors,
            AbstractCRLStoreSPI lists,
            ProxySupport proxies,
            RevocationParameters revocation) {
        super.init(anchors, lists, proxies, revocation);
        this.lists = lists;
        store = (OpensslTrustAnchorStore) anchors;
    }

    @Override
    public ValidationResult validate(X509Certificate[] chain) {
        if (chain.length > GridTrust.MAX_CHAIN) {
            return refused(chain, "the chain holds " + chain.length + " certificates");
        }
        Optional<String> costly = Arrays.stream(chain)
                .map(KeyStrength::costly)
                .flatMap(Optional::stream)
                .findFirst();
        if (costly.isPresent()) {
            return refused(chain, costly.get());
        }
        int user = EndEntity.position(chain);
        Set<X509Certificate> others = new LinkedHashSet<>(Arrays.asList(chain).subList(user, chain.length));
        if (names(others).anyMatch(n -> n > SAME_NAME)) {
            return refused(chain, "more than " + SAME_NAME + " certificates of the chain have the same subject");
        }
        List<X509Certificate> path = path(others);
        if (names(path).filter(n -> n > 1).count() > 1) {
            return refused(chain, "the chain leads through more than one CA twice");
        }
        X509Certificate[] ordered =
                Stream.concat(Arrays.stream(chain, 0, user), path.stream()).toArray(X509Certificate[]::new);
        // The library drops them when memory is short, reads them again when it needs them, and accepts where it
        // cannot.
        List<Object> held = new ArrayList<>();
        for (X509Certificate one : path) {
            X500Principal ca = one.getIssuerX500Principal();
            Collection<X509CRL> present = lists(ca);
            if (present.isEmpty() && listed.contains(ca)) {
                return refused(
                        chain,
                        "the CRL of " + DnForms.slash(DnForms.rfc2253(ca))
                                + " can't be read, so that none of its certificates is accepted until it can");
            }
            held.add(present);
        }
        ValidationResult result;
        try {
            result = super.validate(ordered);
        } finally {
            Reference.reachabilityFence(held);
        }
        if (result.isValid()) {
            result.addErrors(namesOfProxies(result.getValidChain().toArray(X509Certificate[]::new)));
        }
        return result;
    }

    /** How many certificates each subject has. */
    private static Stream<Long> names(Iterable<X509Certificate> certificates) {
        List<X509Certificate> all = new ArrayList<>();
        certificates.forEach(all::add);
        return all.stream()
                .map(X509Certificate::getSubjectX500Principal)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .values()
                .stream();
    }

    /** From the first certificate to one whose issuer is trusted, or as far as it goes; what it does not need is left out. */
    private List<X509Certificate> path(Set<X509Certificate> certificates) {
        List<X509Certificate> rest = new ArrayList<>(certificates);
        List<X509Certificate> path = new ArrayList<>();
        List<X509Certificate> trusted = Arrays.asList(getTrustedIssuers());
        Optional<X509Certificate> next = rest.stream().findFirst();
        while (next.isPresent()) {
            X509Certificate last = next.get();
            path.add(last);
            rest.remove(last);
            next = issuers(last, trusted).anyMatch(a -> signed(a, last))
                    ? Optional.empty()
                    : issuers(last, rest)
                            .filter(a -> signed(a, last))
                            .findFirst()
                            // Left to the library, which says that the signature is wrong.
                            .or(() -> issuers(last, rest).findFirst());
        }
        return path;
    }

    private static Stream<X509Certificate> issuers(X509Certificate of, List<X509Certificate> among) {
        return among.stream().filter(a -> a.getSubjectX500Principal().equals(of.getIssuerX500Principal()));
    }

    /** There may be several of one name: a CA that got a new key. */
    static boolean signed(X509Certificate authority, X509Certificate certificate) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }

    /** The library's check of policies leaves out all that have the name of a proxy, users who are called so too. */
    private List<ValidationError> namesOfProxies(X509Certificate[] chain) {
        List<ValidationError> errors = new ArrayList<>();
        for (int i = EndEntity.position(chain); i < chain.length; i++) {
            X509Certificate one = chain[i];
            if (ProxyUtils.isProxy(one) && !one.getIssuerX500Principal().equals(one.getSubjectX500Principal())) {
                policyError(chain, i).ifPresent(errors::add);
            }
        }
        return errors;
    }

    private Optional<ValidationError> policyError(X509Certificate[] chain, int position) {
        List<NamespacePolicy> policies = policies(chain, position);
        String subject = X500NameUtils.getReadableForm(chain[position].getSubjectX500Principal());
        if (policies.isEmpty()) {
            return getNamespaceCheckingMode().isRequired()
                    ? Optional.of(new ValidationError(
                            chain,
                            position,
                            ValidationErrorCode.nsUndefinedAndRequired,
                            X500NameUtils.getReadableForm(chain[position].getIssuerX500Principal())))
                    : Optional.empty();
        }
        List<NamespacePolicy> matching = policies.stream()
                .filter(p -> p.isSubjectMatching(chain[position].getSubjectX500Principal()))
                .toList();
        if (!matching.isEmpty() && matching.stream().allMatch(NamespacePolicy::isPermit)) {
            return Optional.empty();
        }
        return Optional.of(new ValidationError(
                chain,
                position,
                ValidationErrorCode.nsNotAccepted,
                subject,
                policies.stream().map(NamespacePolicy::getIdentification).collect(Collectors.joining(" "))));
    }

    private static ValidationResult refused(X509Certificate[] chain, String why) {
        return new ValidationResult(false, List.of(ChainRules.error(chain, why)));
    }

    /**
     * With CRLs of all CAs of a path in the directory each has to have one that counts: otherwise whom it names would get in. The
     * library has one mode for a path: below a CA without any CRL it stays as configured.
     */
    private RevocationParameters required(X509Certificate[] chain, RevocationParameters configured) {
        if (issuers(chain[chain.length - 1], Arrays.asList(getTrustedIssuers()))
                .findAny()
                .isEmpty()) {
            // Refused for that. The library would look for who signed the CRL, which fails.
            return RevocationParameters.IGNORE;
        }
        boolean all = Arrays.stream(chain, EndEntity.position(chain), chain.length)
                .allMatch(one -> listed.contains(one.getIssuerX500Principal()));
        return all && configured.getCrlCheckingMode() == CrlCheckingMode.IF_VALID
                ? new RevocationParameters(CrlCheckingMode.REQUIRE, configured.getOcspParameters())
                : configured;
    }

    private final class WithoutProxies extends BCCertPathValidator {
        @Override
        public ValidationResult validate(
                X509Certificate[] chain,
                boolean proxies,
                Set<TrustAnchor> anchors,
                CertStore lists,
                RevocationParameters revocation,
                ObserversHandler observers)
                throws CertificateException {
            boolean any = proxies && chain.length > 0 && EndEntity.isProxy(chain[0]);
            return super.validate(chain, any, anchors, lists, required(chain, revocation), observers);
        }
    }
}
