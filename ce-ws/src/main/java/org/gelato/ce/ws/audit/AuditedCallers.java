package org.gelato.ce.ws.audit;

import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.budget.ByteBoundedCache;
import org.gelato.ce.core.budget.CacheShare;
import org.gelato.ce.core.digest.Sha256;
import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.token.AccessToken;
import org.gelato.ce.ws.token.TokenCallers;
import org.gelato.ce.ws.token.TokenRefusal;
import org.gelato.ce.ws.web.CallerResolver;

/** Finds callers and writes down who is refused, and who is mapped: at first, on a change, and every six hours. Any thread. */
public final class AuditedCallers implements CallerResolver {
    static final Duration MAPPED_AGAIN = Duration.ofHours(6);
    private static final String CHAIN = "jakarta.servlet.request.X509Certificate";

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
    public Caller resolve(HttpServletRequest request) {
        X509Certificate[] chain = request.getAttribute(CHAIN) instanceof X509Certificate[] c ? c : null;
        String fingerprint = chain == null || chain.length == 0 ? null : fingerprint(chain[0]);
        RequestContext.Request context = RequestContext.current();
        Caller caller;
        try {
            caller = callers.resolve(request);
        } catch (ServiceException e) {
            TokenRefusal refused = TokenCallers.refusal(request).orElse(null);
            // One that was verified, whose holder may not: banned, or not mapped.
            AccessToken verified = TokenCallers.token(request).orElse(null);
            if (verified != null) {
                fingerprint = verified.fingerprint();
            }
            if (context != null) {
                context.identified(fingerprint, null);
            }
            String subject = null;
            if (verified != null) {
                subject = verified.identity().subject();
            } else if (refused == null && fingerprint != null) {
                subject = user(chain);
            }
            boolean ban = e.code() == FaultCode.BANNED || (verified == null && subject != null && banned.test(subject));
            audit.refused(AuditLine.ofRequest(ban ? AuditEvent.BANNED : AuditEvent.REFUSED)
                    .with(AuditField.ADDRESS, request.getRemoteAddr())
                    .with(AuditField.DN, subject)
                    .with(AuditField.CREDENTIAL, verified == null ? null : fingerprint)
                    .with(AuditField.TOKEN, names(refused, verified))
                    .with(AuditField.REASON, e.getMessage()));
            throw e;
        }
        AccessToken token = TokenCallers.token(request).orElse(null);
        if (token != null) {
            fingerprint = token.fingerprint();
        }
        if (context != null) {
            context.identified(fingerprint, caller);
        }
        if (isNews(caller)) {
            audit.done(AuditLine.ofRequest(AuditEvent.MAPPED)
                    .with(caller)
                    .with(AuditField.ADDRESS, request.getRemoteAddr())
                    .with(AuditField.CREDENTIAL, fingerprint)
                    .with(AuditField.TOKEN, token == null ? null : token.names().text()));
        }
        return caller;
    }

    private static String names(TokenRefusal refused, AccessToken verified) {
        if (verified != null) {
            return verified.names().text();
        }
        return refused == null ? null : refused.names().text();
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
