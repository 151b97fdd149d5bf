package org.gelato.ce.ws.soap;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;

/** Internal errors: the log gets everything, the client an id for its report. */
public final class Incident {
    private Incident() {}

    /** Logs the failure and returns the text for the client, which names the log entry and nothing else. */
    public static String log(Logger log, String operation, Throwable failure) {
        byte[] id = new byte[4];
        ThreadLocalRandom.current().nextBytes(id);
        String name = HexFormat.of().formatHex(id);
        log.error("{} failed, error {}", operation, name, failure);
        return "error " + name + ", see the log of the service";
    }
}
