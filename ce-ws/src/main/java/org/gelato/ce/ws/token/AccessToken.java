package org.gelato.ce.ws.token;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;

/**
 * A token whose signature and claims were verified.
 *
 * @param issuer the configured issuer it is of
 * @param subject printable ASCII, 1 to 255 characters; unique within the issuer
 * @param jti the token's number; null when it has none
 * @param audiences all of them; empty only where a token without is accepted
 * @param capabilities what its scopes permit
 * @param ignoredScopes a few words that are nearly capabilities of a CE and permit nothing
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
        Set<Permission> capabilities,
        List<String> ignoredScopes,
        boolean anyCapability,
        List<TokenGroup> groups,
        Instant expires,
        Instant issued,
        String fingerprint) {
    public AccessToken {
        audiences = Set.copyOf(audiences);
        capabilities = Set.copyOf(capabilities);
        ignoredScopes = List.copyOf(ignoredScopes);
        groups = List.copyOf(groups);
    }

    /** Its issuer, subject and number, for the audit log. */
    public ClaimedNames names() {
        return new ClaimedNames(issuer.issuer(), subject, jti, fingerprint);
    }

    /** Who it stands for. */
    public TokenIdentity identity() {
        return new TokenIdentity(
                issuer.issuer(),
                subject,
                issuer.vo(),
                capabilities,
                ignoredScopes,
                anyCapability,
                groups,
                "",
                jti,
                expires);
    }
}
