package org.gelato.ce.ws.config;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.ws.push.PushSettings;
import org.gelato.ce.ws.push.Receiver;

/** Reads who gets events as they happen. */
final class PushKeys {
    private static final int MAX_WEBHOOKS = 16;

    private PushKeys() {}

    static PushSettings read(Binder r) {
        Set<String> names = new HashSet<>();
        return r.read(
                "gelato.events",
                PushSettings.class,
                r.sections("gelato.events.webhooks", MAX_WEBHOOKS, Receiver.class, Map.of(), receiver -> {
                    if (!names.add(receiver.name())) {
                        throw new IllegalArgumentException("the name is there twice");
                    }
                    return receiver;
                }));
    }
}
