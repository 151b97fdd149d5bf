package org.gelato.ce.ws.token;

import java.time.Duration;
import java.util.Optional;

/** The keys of one issuer as they count now. Any thread may call. */
interface IssuerKeys {
    /**
     * The keys to verify a token with. May wait for a fetch, for a bounded time.
     *
     * @param keyId a key the caller looks for; null for any
     * @throws TokenRefusal of the kind {@link TokenRefusal.Kind#KEYS_UNAVAILABLE}
     */
    KeySet keysFor(String keyId) throws TokenRefusal;

    /**
     * Looks at the issuer or file once more, as a token without the name of its key fits none. May wait as {@link #keysFor}.
     *
     * @return the same object where there are no other keys, or it is too early to look again
     */
    KeySet newerThan(KeySet tried);

    /** The keys that count now, without waiting; null for none. The same object as long as they are the same keys. */
    KeySet present();

    /** Does what is due; called every few seconds by a thread of its own. Must not throw or wait. */
    void tick();

    /** Since the last look at the issuer or file that succeeded; empty when there was none. */
    Optional<Duration> age();

    /** Fetches or reads that failed. */
    long failures();

    /** Why the last one failed; null when it did not. */
    String problem();
}
