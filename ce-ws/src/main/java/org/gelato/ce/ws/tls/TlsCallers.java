package org.gelato.ce.ws.tls;

import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;
import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Authorizer;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.ws.web.CallerResolver;

/**
 * Finds the caller of a request by its TLS client chain. The chain is judged again at each request, from memory in all but
 * the first: a proxy that ended or was revoked while its connection or TLS session lived on is refused, and it does not
 * matter who terminated TLS. Authorization is checked anew each time. Any thread.
 */
public final class TlsCallers implements CallerResolver {
    private static final String CHAIN = "jakarta.servlet.request.X509Certificate";

    private final ChainIdentities identities;
    private final Authorizer authorizer;

    public TlsCallers(ChainIdentities identities, Authorizer authorizer) {
        this.identities = identities;
        this.authorizer = authorizer;
    }

    @Override
    public Caller resolve(HttpServletRequest request) {
        if (!(request.getAttribute(CHAIN) instanceof X509Certificate[] chain) || chain.length == 0) {
            throw new ServiceException.NotAuthorized(
                    FaultCode.CREDENTIAL_MISSING,
                    "no client certificate was presented: connect with a grid proxy or a user certificate");
        }
        GridIdentity identity;
        try {
            identity = identities.identify(chain);
        } catch (RefusedChainException e) {
            throw new ServiceException.NotAuthorized(
                    FaultCode.CREDENTIAL_REFUSED,
                    e.subject() + " not authorized: its certificate chain is not valid: " + e.getMessage());
        }
        return authorizer.authorize(identity);
    }
}
