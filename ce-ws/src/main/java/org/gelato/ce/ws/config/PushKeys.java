package org.gelato.ce.ws.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.gelato.ce.ws.push.PushSettings;
import org.gelato.ce.ws.push.Receiver;

/** Reads who gets events as they happen. */
final class PushKeys {
    private static final String BLOCK = "gelato.events.";
    private static final String WEBHOOKS = BLOCK + "webhooks";
    private static final Set<String> KEYS = Set.of("name", "url", "secret-file");
    private static final int MOST_WEBHOOKS = 16;
    private static final int MOST_FOLLOWERS = 10_000;

    private PushKeys() {}

    /** @param home of the CE; paths are relative to it */
    static PushSettings read(ConfigReader r, Path home) {
        return new PushSettings(
                r.number(BLOCK + "max-followers", 1, MOST_FOLLOWERS),
                r.number(BLOCK + "max-followers-per-user", 1, MOST_FOLLOWERS),
                receivers(r, home));
    }

    private static List<Receiver> receivers(ConfigReader r, Path home) {
        List<? extends ConfigObject> all = r.objects(WEBHOOKS);
        if (all.size() > MOST_WEBHOOKS) {
            r.refuse(WEBHOOKS, "a list of at most " + MOST_WEBHOOKS + " receivers");
        }
        List<Receiver> receivers = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ConfigObject object : all) {
            try {
                Receiver receiver = receiver(object, home);
                if (!names.add(receiver.name())) {
                    throw new IllegalArgumentException("the name is there twice");
                }
                receivers.add(receiver);
            } catch (ConfigException | IllegalArgumentException e) {
                r.problem(WEBHOOKS + KeyNames.line(object) + ": " + e.getMessage());
            }
        }
        return receivers;
    }

    private static Receiver receiver(ConfigObject object, Path home) {
        for (String key : object.keySet()) {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException("there is no key " + key + " of a webhook; there are "
                        + String.join(", ", KEYS.stream().sorted().toList()));
            }
        }
        Config c = object.toConfig();
        return new Receiver(
                c.getString("name"),
                URI.create(c.getString("url")),
                home.resolve(c.getString("secret-file")).toAbsolutePath().normalize());
    }
}
