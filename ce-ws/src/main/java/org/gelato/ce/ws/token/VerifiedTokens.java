package org.gelato.ce.ws.token;

import java.time.Instant;
import java.util.function.Function;
import org.gelato.ce.core.base.ByteBoundedCache;
import org.gelato.ce.core.base.CacheShare;
import org.gelato.ce.core.identity.TokenGroup;

/**
 * Tokens that were verified, by their fingerprint. An entry ends with its token, is not prolonged by use, and counts only as
 * long as the issuer's keys are those it was verified with. Any thread may call.
 */
final class VerifiedTokens {
    private record Verified(AccessToken token, KeySet keys) {}

    private final ByteBoundedCache<String, Verified> entries =
            new ByteBoundedCache<>(CacheShare.TOKENS, (fingerprint, verified) -> weight(verified.token()));

    private static long weight(AccessToken token) {
        return 2 * ByteBoundedCache.weight(token.fingerprint())
                + ByteBoundedCache.weight(token.subject())
                + ByteBoundedCache.weight(token.jti())
                + ByteBoundedCache.weight(token.audiences())
                + ByteBoundedCache.weight(
                        token.groups().stream().map(TokenGroup::toString).toList());
    }

    /** Null when it is not known, or does not count any more. */
    // A set of keys that was fetched again is another one, whatever is in it.
    @SuppressWarnings("ReferenceEquality")
    AccessToken get(String fingerprint, Instant now, Function<TokenIssuer, KeySet> keys) {
        Verified entry = entries.get(fingerprint).orElse(null);
        if (entry == null) {
            return null;
        }
        if (now.isBefore(entry.token().expires()) && keys.apply(entry.token().issuer()) == entry.keys()) {
            return entry.token();
        }
        entries.remove(fingerprint, entry);
        return null;
    }

    void put(AccessToken token, KeySet keys) {
        entries.put(token.fingerprint(), new Verified(token, keys));
    }

    int size() {
        return entries.size();
    }
}
