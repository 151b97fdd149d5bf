package org.gelato.ce.ws.push;

import java.util.List;
import org.gelato.ce.ws.http.PerUserLimit;

/**
 * Who gets events as they happen.
 *
 * @param followers clients that may follow at once
 * @param followersOfOnePerson of these
 * @param receivers webhooks
 */
public record PushSettings(int followers, int followersOfOnePerson, List<Receiver> receivers) {
    public PushSettings {
        receivers = List.copyOf(receivers);
    }

    /** Permits for so many followers. */
    public PerUserLimit limit() {
        return PerUserLimit.of(followers, followersOfOnePerson);
    }
}
