package org.gelato.ce.ws.web;

import jakarta.servlet.http.HttpServletRequest;
import org.gelato.ce.core.identity.Caller;

/** Finds out who sent a request: token or TLS client chain, VOMS attributes, authorization. Thread-safe. */
@FunctionalInterface
public interface CallerResolver {
    /** Who sent it, or why nobody is accepted. */
    Authentication authenticate(HttpServletRequest request);

    /**
     * The authorized caller.
     *
     * @throws org.gelato.ce.core.fault.ServiceException.NotAuthorized without credential, when token, chain or attributes are not
     *     accepted, or when the caller is banned or not mapped
     */
    default Caller resolve(HttpServletRequest request) {
        return authenticate(request).caller();
    }
}
