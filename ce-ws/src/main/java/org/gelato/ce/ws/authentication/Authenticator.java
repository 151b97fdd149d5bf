package org.gelato.ce.ws.authentication;

import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Authorizer;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.RefusedChainException;
import org.gelato.ce.ws.token.AccessToken;
import org.gelato.ce.ws.token.BearerHeader;
import org.gelato.ce.ws.token.TokenRefusal;
import org.gelato.ce.ws.token.TokenVerifier;
import org.gelato.ce.ws.token.Unauthenticated;
import org.gelato.ce.ws.web.Authentication;
import org.gelato.ce.ws.web.Authentication.Accepted;
import org.gelato.ce.ws.web.Authentication.Credential;
import org.gelato.ce.ws.web.Authentication.Refused;
import org.gelato.ce.ws.web.CallerResolver;

/**
 * Authenticates a request by its bearer token and, without one, by its TLS client chain. A token counts also where a certificate was
 * shown: the proxy is only delegated then; and one that is refused is not replaced by a certificate. The chain is judged again at each
 * request, from memory in all but the first: a proxy that ended or was revoked while its connection or TLS session lived on is refused,
 * and it does not matter who terminated TLS. Any thread; may wait for keys of an issuer.
 */
public final class Authenticator implements CallerResolver {
    private static final String AUTHORIZATION = "Authorization";
    private static final String CHAIN = "jakarta.servlet.request.X509Certificate";
    private static final String MISSING =
            "no client certificate was presented: connect with a grid proxy or a user certificate";

    private final ChainIdentities chains;
    private final TokenVerifier tokens;
    private final Authorizer authorizer;

    /** @param tokens null where none are accepted */
    public Authenticator(ChainIdentities chains, TokenVerifier tokens, Authorizer authorizer) {
        this.chains = chains;
        this.tokens = tokens;
        this.authorizer = authorizer;
    }

    @Override
    public Authentication authenticate(HttpServletRequest request) {
        X509Certificate[] chain =
                request.getAttribute(CHAIN) instanceof X509Certificate[] shown ? shown : new X509Certificate[0];
        String certificate = chain.length == 0 ? null : fingerprint(chain[0]);
        try {
            Optional<String> compact = tokens == null
                    ? Optional.empty()
                    : BearerHeader.token(List.copyOf(Collections.list(request.getHeaders(AUTHORIZATION))));
            if (compact.isEmpty()) {
                return byCertificate(chain, certificate);
            }
            AccessToken token = tokens.verify(compact.get());
            return authorized(
                    token.identity(), token.fingerprint(), token.names().text());
        } catch (TokenRefusal e) {
            return new Refused(
                    Unauthenticated.refused(e),
                    new Credential(certificate, null, e.names().text()));
        }
    }

    private Authentication byCertificate(X509Certificate[] chain, String fingerprint) {
        if (chain.length == 0) {
            return new Refused(
                    tokens == null
                            ? new ServiceException.NotAuthorized(FaultCode.CREDENTIAL_MISSING, MISSING)
                            : Unauthenticated.missing(MISSING),
                    Credential.NONE);
        }
        try {
            return authorized(chains.identify(chain), fingerprint, null);
        } catch (RefusedChainException e) {
            return new Refused(
                    new ServiceException.NotAuthorized(
                            FaultCode.CREDENTIAL_REFUSED,
                            e.subject() + " not authorized: its certificate chain is not valid: " + e.getMessage()),
                    new Credential(fingerprint, user(chain), null));
        }
    }

    private Authentication authorized(Identity identity, String fingerprint, String token) {
        Credential credential = new Credential(fingerprint, identity.subject(), token);
        try {
            return new Accepted(authorizer.authorize(identity), credential);
        } catch (ServiceException e) {
            return new Refused(e, credential);
        }
    }

    /** The subject of the user, or of the first certificate in a chain that has no user. */
    private static String user(X509Certificate[] chain) {
        try {
            return GridTrust.user(chain);
        } catch (IllegalArgumentException | IllegalStateException e) {
            return DnForms.rfc2253(chain[0].getSubjectX500Principal());
        }
    }

    private static String fingerprint(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(Sha256.of(certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
            return null;
        }
    }
}
