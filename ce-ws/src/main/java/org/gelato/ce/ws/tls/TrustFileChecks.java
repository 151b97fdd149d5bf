package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.helpers.ns.EuGridPmaNamespacesParser;
import eu.emi.security.authn.x509.helpers.ns.GlobusNamespacesParser;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.impl.CertificateUtils.Encoding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.ws.tls.directory.LastGoodCopy;
import org.gelato.ce.ws.tls.directory.LscFile;

/** Whether a file of a trust directory matches its name. Functions without state. */
final class TrustFileChecks {
    private static final Pattern ANCHOR = Pattern.compile("[0-9a-f]{8}\\.[0-9]+");
    private static final Pattern CRL = Pattern.compile("[0-9a-f]{8}\\.r[0-9]+");
    private static final Pattern POLICY = Pattern.compile("[0-9a-f]{8}\\.(signing_policy|namespaces)");
    /** Each new chain of the CA costs 50 ms of CPU for a mebibyte of its CRL. */
    private static final long LARGEST_LIST = 16 << 20;
    /** Twelve times its size in memory, and a quarter of the memory for it. */
    private static final int LIST_IN_MEMORY = 48;

    /** How far the clock of an authority may be ahead of this host's. */
    private static final Duration SKEW = Duration.ofMinutes(5);

    private TrustFileChecks() {}

    /** Whether {@link #authority} reads files of such a name. */
    static boolean readsAuthority(Path file) {
        String name = file.getFileName().toString();
        return ANCHOR.matcher(name).matches()
                || CRL.matcher(name).matches()
                || POLICY.matcher(name).matches();
    }

    /** Whether {@link #voms} reads files of such a name. */
    static boolean readsVoms(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".pem") || name.endsWith(".lsc");
    }

    /** Whether a file's name is that of a CRL, {@code <hash>.r<n>}. */
    static boolean isRevocationList(Path file) {
        return CRL.matcher(file.getFileName().toString()).matches();
    }

    /** Whether a file's name is that of a CA's certificate, {@code <hash>.<n>}. */
    static boolean isAnchor(Path file) {
        return ANCHOR.matcher(file.getFileName().toString()).matches();
    }

    /** Whether a file's name is that of a signing policy or of namespaces. */
    static boolean isPolicy(Path file) {
        return POLICY.matcher(file.getFileName().toString()).matches();
    }

    /** The hash in the name of an authority's file. */
    static String hash(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.indexOf('.'));
    }

    /** The hash that names files of this authority. */
    static String hash(X500Principal authority) {
        return OpensslTruststoreHelper.getOpenSSLCAHash(authority, true);
    }

    /** The hash that named files of this authority before OpenSSL 1.0; the library reads none of these. */
    static String oldHash(X500Principal authority) {
        return OpensslTruststoreHelper.getOpenSSLCAHash(authority, false);
    }

    /**
     * {@code <hash>.0}, {@code <hash>.r0}, {@code <hash>.signing_policy}, {@code <hash>.namespaces}; false for other names.
     *
     * @throws Exception when the file does not match its name, with the reason
     */
    static boolean authority(Path relative, Path copy) throws Exception {
        String name = relative.getFileName().toString();
        if (ANCHOR.matcher(name).matches()) {
            certificate(copy);
        } else if (CRL.matcher(name).matches()) {
            revocationList(copy);
        } else if (POLICY.matcher(name).matches()) {
            boolean empty = name.endsWith(".namespaces")
                    ? new EuGridPmaNamespacesParser(copy.toString(), true)
                            .parse()
                            .isEmpty()
                    : new GlobusNamespacesParser(copy.toString()).parse().isEmpty();
            if (empty) {
                throw new IOException("allows no name");
            }
        } else {
            return false;
        }
        return true;
    }

    /**
     * {@code <vo>/<host>.lsc}: DNs of issuer and CAs; {@code .pem} anywhere: a certificate; false for other names.
     *
     * @throws Exception when the file does not match its name, with the reason
     */
    static boolean voms(Path relative, Path copy) throws Exception {
        String name = relative.getFileName().toString();
        if (name.endsWith(".pem")) {
            certificate(copy);
            return true;
        }
        if (!name.endsWith(".lsc") || relative.getNameCount() != 2) {
            return false;
        }
        LscFile.read(relative, copy);
        return true;
    }

    /**
     * Reads a CRL.
     *
     * @param file named {@code <hash>.r<n>}
     * @throws LastGoodCopy.NotYetException when it begins later
     * @throws IOException when it is larger than this process can have in memory several times, another CA's than its
     *     name says, or not complete
     */
    static X509CRL revocationList(Path file) throws IOException, GeneralSecurityException {
        return revocationList(file, Runtime.getRuntime().maxMemory());
    }

    static X509CRL revocationList(Path file, long memory) throws IOException, GeneralSecurityException {
        long most = Math.min(LARGEST_LIST, memory / LIST_IN_MEMORY);
        long size = Files.size(file);
        if (size > most) {
            throw new IOException("a CRL of " + size + " bytes is too large: at most " + most
                    + " are read in a process with " + (memory >> 20) + " MiB of memory"
                    + (most < LARGEST_LIST ? " (CE_JAVA_OPTS=-Xmx4g gives more)" : "")
                    + "; its CA has to remove what has ended");
        }
        try (InputStream in = Files.newInputStream(file)) {
            X509CRL list = (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(in);
            if (list == null) {
                throw new IOException("holds no CRL");
            }
            X500Principal authority = list.getIssuerX500Principal();
            String named = hash(file);
            if (!named.equals(hash(authority)) && !named.equals(oldHash(authority))) {
                throw new IOException("holds the CRL of " + DnForms.slash(DnForms.rfc2253(authority))
                        + ", which belongs into " + hash(authority) + ".r0");
            }
            complete(list);
            return list;
        }
    }

    /** That it names all revoked certificates of its authority (RFC 5280, 5.2.4 and 5.2.5), from now to an end. */
    private static void complete(X509CRL list) throws IOException {
        if (list.getNextUpdate() == null) {
            throw new IOException("it does not say when it ends: nextUpdate is missing, which RFC 5280 requires;"
                    + " its CA has to issue another one");
        }
        if (list.getExtensionValue(Extension.deltaCRLIndicator.getId()) != null) {
            throw new IOException("it is a delta CRL, which names changes only; install the complete CRL");
        }
        byte[] scope = list.getExtensionValue(Extension.issuingDistributionPoint.getId());
        if (scope != null
                && IssuingDistributionPoint.getInstance(JcaX509ExtensionUtils.parseExtensionValue(scope))
                                .getOnlySomeReasons()
                        != null) {
            throw new IOException("it names certificates revoked for some reasons only; install the complete CRL");
        }
        Instant begin = list.getThisUpdate().toInstant();
        if (begin.isAfter(Instant.now().plus(SKEW))) {
            throw new LastGoodCopy.NotYetException("it begins at " + begin
                    + ", which is later than now; compare this host's clock with that of the CA");
        }
    }

    private static void certificate(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            CertificateUtils.loadCertificate(in, Encoding.PEM);
        }
    }
}
