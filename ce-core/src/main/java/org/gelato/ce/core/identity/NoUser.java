package org.gelato.ce.core.identity;

import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;

/** The caller proved who it is, and is no user of this CE: it is banned, or nothing maps it to an account. */
public final class NoUser extends ServiceException.NotAuthorized {
    private static final long serialVersionUID = 1L;
    private final transient Identity identity;

    private NoUser(Identity identity, FaultCode code, String description) {
        super(code, description);
        this.identity = identity;
    }

    /** @param reason of the ban, as users are shown it */
    public static NoUser banned(Identity identity, String reason) {
        return new NoUser(
                identity, FaultCode.BANNED, Messages.ofCertificate(identity.subject()) + " not authorized: " + reason);
    }

    /** @param description with the subject, and what would map it */
    public static NoUser unmapped(Identity identity, String description) {
        return new NoUser(identity, FaultCode.NOT_MAPPED, description);
    }

    /** Whom the credential proved. */
    public Identity identity() {
        return identity;
    }
}
