package org.gelato.ce.core.identity;

/** Decides who is authorized and as which account. Called on every request, from any thread; must not block on I/O. */
public interface Authorizer {
    /**
     * @return the caller with its account
     * @throws org.gelato.ce.core.fault.ServiceException.NotAuthorized when banned or not mapped; the text names the subject and
     *     what was missing
     */
    Caller authorize(Identity identity);
}
