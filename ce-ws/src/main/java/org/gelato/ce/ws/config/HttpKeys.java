package org.gelato.ce.ws.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.ws.server.HttpConfig;

/** Reads the limits of the HTTP server. */
final class HttpKeys {
    private static final String THREADS = "gelato.http.threads";

    private static final String ORIGINS = "gelato.http.origins";

    /** As browsers write it: no path, no slash at the end. */
    private static final Pattern ORIGIN = Pattern.compile("https://[A-Za-z0-9.\\-]+(:[0-9]{1,5})?");

    private HttpKeys() {}

    /** Origins of this CE's pages: its own, and the site's other names for it. */
    static List<String> origins(ConfigReader r, String host, int port) {
        List<String> others = r.texts(ORIGINS);
        if (!others.stream().allMatch(o -> ORIGIN.matcher(o).matches())) {
            r.refuse(ORIGINS, "a list of origins without path: [\"https://alias.example.org:8443\"]");
        }
        List<String> all = new ArrayList<>(others);
        all.add("https://" + host + ":" + port);
        return List.copyOf(all);
    }

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
