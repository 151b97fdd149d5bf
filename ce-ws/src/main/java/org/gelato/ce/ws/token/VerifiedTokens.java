package org.gelato.ce.ws.token;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Tokens that were verified, by their fingerprint. An entry ends with its token, is not prolonged by use, and counts only as
 * long as the issuer's keys are those it was verified with. Any thread may call.
 */
final class VerifiedTokens {
    private record Verified(AccessToken token, KeySet keys) {}

    private final Map<String, Verified> entries;

    /** @param most entries; beyond it the one that was used least recently goes */
    VerifiedTokens(int most) {
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Verified> eldest) {
                return size() > most;
            }
        };
    }

    /** Null when it is not known, or does not count any more. */
    // A set of keys that was fetched again is another one, whatever is in it.
    @SuppressWarnings("ReferenceEquality")
    synchronized AccessToken get(String fingerprint, Instant now, Function<TokenIssuer, KeySet> keys) {
        Verified entry = entries.get(fingerprint);
        if (entry == null) {
            return null;
        }
        if (now.isBefore(entry.token().expires()) && keys.apply(entry.token().issuer()) == entry.keys()) {
            return entry.token();
        }
        entries.remove(fingerprint);
        return null;
    }

    synchronized void put(AccessToken token, KeySet keys) {
        entries.put(token.fingerprint(), new Verified(token, keys));
    }

    synchronized int size() {
        return entries.size();
    }
}
