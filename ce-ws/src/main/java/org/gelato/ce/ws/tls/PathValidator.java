package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.helpers.ObserversHandler;
import eu.emi.security.authn.x509.helpers.pkipath.BCCertPathValidator;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.ValidatorParams;
import java.nio.file.Path;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Set;

/** The library's validator of a directory of trust anchors, which takes a user called {@code proxy} for one. */
final class PathValidator extends OpensslCertChainValidator {
    PathValidator(Path directory, NamespaceCheckingMode namespaces, ValidatorParams params) {
        // No timer of its own: it is made anew when a file has changed. Not lazily: a handshake must not wait for the
        // disk or
        // parse a CRL of megabytes.
        super(directory.toString(), true, namespaces, -1, params, false);
        validator = new WithoutProxies();
    }

    private static final class WithoutProxies extends BCCertPathValidator {
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
            return super.validate(chain, any, anchors, lists, revocation, observers);
        }
    }
}
