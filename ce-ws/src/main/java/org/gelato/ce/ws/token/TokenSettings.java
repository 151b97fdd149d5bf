package org.gelato.ce.ws.token;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.gelato.ce.core.base.Key;

/**
 * Which bearer tokens are accepted.
 *
 * @param issuers whose; none: no token is accepted
 * @param audiences this CE's names, compared exactly
 * @param anyAudience whether tokens for every service are accepted
 * @param refresh time between two fetches of an issuer's keys
 * @param keepKeys how long keys count when the issuer does not answer, from the last fetch that succeeded
 * @param fetchTimeout of a fetch, and how long a request waits for one
 * @param keyDirectory for copies of fetched keys
 */
public record TokenSettings(
        List<TokenIssuer> issuers,
        Set<String> audiences,
        @Key boolean anyAudience,
        Duration refresh,
        Duration keepKeys,
        Duration fetchTimeout,
        Path keyDirectory) {
    public TokenSettings {
        issuers = List.copyOf(issuers);
        audiences = Set.copyOf(audiences);
    }

    /** The VO of the tokens of each issuer that has one. */
    public Map<String, String> vos() {
        return issuers.stream()
                .filter(issuer -> issuer.vo() != null)
                .collect(Collectors.toMap(TokenIssuer::issuer, TokenIssuer::vo, (first, second) -> first));
    }

    /** Whether tokens are accepted at all. */
    public boolean enabled() {
        return !issuers.isEmpty();
    }
}
