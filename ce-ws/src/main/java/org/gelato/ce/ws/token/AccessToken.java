package org.gelato.ce.ws.token;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A token whose signature and claims were verified.
 *
 * @param issuer the configured issuer it is of
 * @param subject printable ASCII, 1 to 255 characters; unique within the issuer
 * @param jti the token's number; null when it has none
 * @param audiences all of them; empty only where a token without is accepted
 * @param capabilities what its scopes permit
 * @param anyCapability whether it has any capability scope, of whatever service: then groups permit nothing
 * @param groups in the token's order, the first is the primary one
 * @param expires its end
 * @param issued null when it does not say
 * @param fingerprint SHA-256 of the compact form in hex, for logs
 */
public record AccessToken(
        TokenIssuer issuer,
        String subject,
        String jti,
        Set<String> audiences,
        Set<ComputeScope> capabilities,
        boolean anyCapability,
        List<TokenGroup> groups,
        Instant expires,
        Instant issued,
        String fingerprint) {
    public AccessToken {
        audiences = Set.copyOf(audiences);
        capabilities = Set.copyOf(capabilities);
        groups = List.copyOf(groups);
    }

    /**
     * Issuer, comma, subject. Different for different pairs, as an issuer has no comma, and never an X.509 name: before the first
     * {@code =} of one there is no colon, and one in slash form does not start with a letter.
     */
    public String owner() {
        return issuer.issuer() + "," + subject;
    }

    /**
     * Whether an operation is permitted as far as the token alone can say: by a scope, or, in a token without any capability,
     * by its groups, which the site's rules judge.
     *
     * @throws TokenRefusal of the kind {@link TokenRefusal.Kind#INSUFFICIENT_SCOPE}
     */
    public void require(ComputeScope scope) throws TokenRefusal {
        if (anyCapability && !capabilities.contains(scope)) {
            throw TokenRefusal.lacking(scope).about(new ClaimedNames(issuer.issuer(), subject, jti, fingerprint));
        }
    }

    /** The VO configured for the issuer, else that of the primary group; null when there is neither. */
    public String vo() {
        if (issuer.vo() != null) {
            return issuer.vo();
        }
        return groups.isEmpty() ? null : groups.get(0).vo();
    }
}
