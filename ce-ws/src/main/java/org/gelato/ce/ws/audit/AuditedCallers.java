package org.gelato.ce.ws.audit;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.web.Authentication;
import org.gelato.ce.ws.web.Authentication.Accepted;
import org.gelato.ce.ws.web.Authentication.Credential;
import org.gelato.ce.ws.web.Authentication.Refused;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.RequestContext;

/**
 * Authenticates each request once, whatever number of calls it takes within a second, and writes down who is refused, and who is mapped: at first, on a
 * change, and every six hours. Any thread.
 */
public final class AuditedCallers implements CallerResolver {
    static final Duration MAPPED_AGAIN = Duration.ofHours(6);

    private final CallerResolver callers;
    private final Predicate<String> banned;
    private final AuditLog audit;
    private final Clock clock;
    private final ByteBoundedCache<List<String>, Mapped> mapped = new ByteBoundedCache<>(
            CacheShare.MAPPED,
            (names, found) -> ByteBoundedCache.weight(names) + ByteBoundedCache.weight(found.account()));

    private record Mapped(String account, Instant until) {}

    /** @param banned whether a DN (RFC 2253) is on the ban list */
    public AuditedCallers(CallerResolver callers, Predicate<String> banned, AuditLog audit, Clock clock) {
        this.callers = callers;
        this.banned = banned;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Authentication authenticate(HttpServletRequest request) {
        RequestContext context = RequestContext.current();
        Authentication known = context == null ? null : context.currentAuthentication();
        if (known != null) {
            return known;
        }
        Authentication outcome = callers.authenticate(request);
        if (context != null) {
            context.authenticated(outcome);
        }
        if (outcome instanceof Refused refused) {
            audit.refused(line(isBan(refused) ? AuditEvent.BANNED : AuditEvent.REFUSED, request, outcome)
                    .with(AuditField.DN, refused.credential().subject())
                    .with(AuditField.REASON, refused.reason().getMessage()));
        } else if (outcome instanceof Accepted accepted && isNews(accepted.caller())) {
            audit.done(line(AuditEvent.MAPPED, request, outcome).with(accepted.caller()));
        }
        return outcome;
    }

    private static AuditLine line(AuditEvent event, HttpServletRequest request, Authentication outcome) {
        return AuditLine.ofRequest(event)
                .with(AuditField.ADDRESS, request.getRemoteAddr())
                .with(AuditField.CREDENTIAL, outcome.credential().fingerprint())
                .with(AuditField.TOKEN, outcome.credential().token());
    }

    /** Also of one whose certificate is not accepted any more. */
    private boolean isBan(Refused refused) {
        Credential shown = refused.credential();
        return refused.reason().code() == FaultCode.BANNED
                || (shown.token() == null && shown.subject() != null && banned.test(shown.subject()));
    }

    private boolean isNews(Caller caller) {
        Instant now = clock.instant();
        List<String> key =
                List.of(caller.identity().subject(), caller.identity().group());
        synchronized (mapped) {
            Mapped known = mapped.get(key).orElse(null);
            if (known != null && known.account().equals(caller.account()) && now.isBefore(known.until())) {
                return false;
            }
            mapped.put(key, new Mapped(caller.account(), now.plus(MAPPED_AGAIN)));
            return true;
        }
    }
}
