package org.gelato.ce.ws.config;

import java.time.Duration;
import org.gelato.ce.ws.server.HttpConfig;

/** Reads the limits of the HTTP server. */
final class HttpKeys {
    private static final String THREADS = "gelato.http.threads";

    private HttpKeys() {}

    static HttpConfig read(ConfigReader r) {
        int threads = r.number(THREADS, 4, 2000);
        int callsPerUser = r.number("gelato.http.calls-per-user", 0, 2000);
        HttpConfig http = new HttpConfig(
                threads,
                r.number("gelato.http.max-connections", 10, 100_000),
                r.number("gelato.http.downloads", 1, 1000),
                r.bytes("gelato.http.max-body", 64L << 10, 1L << 30),
                r.duration("gelato.http.keep-alive", Duration.ofSeconds(1), Duration.ofHours(1)),
                r.duration("gelato.http.timeout", Duration.ofSeconds(1), Duration.ofMinutes(10)),
                r.number("gelato.http.uploads", 1, 1000),
                callsPerUser == 0 ? threads / 2 : callsPerUser,
                r.number("gelato.http.connections-per-address", 1, 100_000),
                r.duration("gelato.http.handshake-timeout", Duration.ofSeconds(1), Duration.ofMinutes(10)));
        if (http.downloads() + http.uploads() >= http.threads()) {
            r.refuse(
                    THREADS,
                    "more than http.downloads and http.uploads together: transfers would leave none for requests");
        }
        return http;
    }
}
