package org.gelato.ce.core.identity;

import org.gelato.ce.core.fault.ServiceException;

/**
 * An authorized caller.
 *
 * @param identity who it is
 * @param account the local account it is mapped to; never null, never root
 * @param admin whether the DN is on the admin list: sees all jobs, real LRMS ids and directories
 */
public record Caller(Identity identity, String account, boolean admin) {
    /**
     * Refuses an operation that the credential does not permit.
     *
     * @param any of these is enough
     * @throws ServiceException.NotAuthorized with the scope that is missing, and scopes of the token that do not count
     */
    public void require(Permission... any) {
        for (Permission permission : any) {
            if (identity.permits(permission)) {
                return;
            }
        }
        throw ServiceException.NotAuthorized.lacking(any[0].scope(), identity.ignoredScopes());
    }

    /**
     * Refuses what is for administrators.
     *
     * @param what is requested, such as {@code request who is banned}
     * @throws ServiceException.NotAuthorized for anybody else, with his name and where administrators are named
     */
    public void requireAdministrator(String what) {
        if (!admin) {
            String name = identity.byToken() ? identity.subject() : DnForms.slash(identity.subject());
            throw new ServiceException.NotAuthorized("only administrators of this CE may " + what + ": '" + name
                    + "' is not in the file of gelato.authorization.admins (/etc/grid-security/admin-list by default)");
        }
    }

    /**
     * The identity as a certificate has it, for what certificates alone can do.
     *
     * @throws ServiceException.NotAuthorized for a caller with another kind of credential
     */
    public GridIdentity certificate() {
        if (identity instanceof GridIdentity x509) {
            return x509;
        }
        if (identity instanceof LinkedIdentity linked) {
            return linked.person();
        }
        throw new ServiceException.NotAuthorized("a client certificate is needed");
    }
}
