package org.gelato.ce.ws.web;

import jakarta.servlet.http.HttpServletRequest;
import org.gelato.ce.core.identity.Caller;

/** Finds out who sent a request: TLS client chain, VOMS attributes, authorization. Thread-safe. */
public interface CallerResolver {
    /**
     * @return the authorized caller
     * @throws org.gelato.ce.core.fault.ServiceException.NotAuthorized without client certificate, when the chain or its
     *     attributes are not accepted, or when the caller is banned or not mapped
     */
    Caller resolve(HttpServletRequest request);
}
