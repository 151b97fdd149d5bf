package org.gelato.ce.ws.push;

import java.util.List;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.ws.http.PerUserLimit;

/**
 * Who gets events as they happen.
 *
 * @param followers clients that may follow at once
 * @param followersOfOnePerson of these
 * @param receivers webhooks
 */
public record PushSettings(
        @Key(value = "max-followers", min = "1", max = "10000")
        int followers,

        @Key(value = "max-followers-per-user", min = "1", max = "10000")
        int followersOfOnePerson,

        List<Receiver> receivers) {
    public PushSettings {
        receivers = List.copyOf(receivers);
    }

    /** Permits for so many followers. */
    public PerUserLimit limit() {
        return PerUserLimit.of(followers, followersOfOnePerson);
    }
}
