package org.gelato.ce.ws.soap;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.ws.web.Authentication;
import org.gelato.ce.ws.web.Authentication.Accepted;
import org.gelato.ce.ws.web.Authentication.Credential;
import org.gelato.ce.ws.web.Authentication.Refused;
import org.gelato.ce.ws.web.CallerResolver;

/** Accepts every caller, unless given a refusal. */
public final class FakeCallers implements CallerResolver {
    public static final Caller ALICE = new Caller(
            new GridIdentity(
                    "CN=Alice,O=Test",
                    List.of("/dteam"),
                    "dteam",
                    false,
                    Instant.parse("2027-01-01T00:00:00Z"),
                    List.of()),
            "dteam001",
            false);

    /** Why callers are refused; null to accept them. */
    public volatile String refusal;

    public volatile Caller who = ALICE;

    /** Whether everybody is an administrator. */
    public volatile boolean admin;

    @Override
    public Authentication authenticate(HttpServletRequest request) {
        if (refusal != null) {
            return new Refused(new ServiceException.NotAuthorized(refusal), Credential.NONE);
        }
        return new Accepted(admin ? new Caller(ALICE.identity(), ALICE.account(), true) : who, Credential.NONE);
    }
}
