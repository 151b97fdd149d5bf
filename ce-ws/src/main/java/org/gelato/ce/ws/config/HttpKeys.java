package org.gelato.ce.ws.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.ws.server.HttpConfig;

/** Reads the limits of the HTTP server. */
final class HttpKeys {
    private static final long MAX_BODY = 10L << 20;
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(20);
    /** Downloads at once, and uploads. */
    private static final int TRANSFERS = 16;

    private static final String ORIGINS = "gelato.http.origins";

    /** As browsers write it: no path, no slash at the end. */
    private static final Pattern ORIGIN = Pattern.compile("https://[A-Za-z0-9.\\-]+(:[0-9]{1,5})?");

    private HttpKeys() {}

    /** Origins of this CE's pages: its own, and the site's other names for it. */
    static List<String> origins(Binder r, String host, int port) {
        List<String> others = r.texts(ORIGINS);
        if (!others.stream().allMatch(o -> ORIGIN.matcher(o).matches())) {
            r.refuse(ORIGINS, "a list of origins without path: [\"https://alias.example.org:8443\"]");
        }
        List<String> all = new ArrayList<>(others);
        all.add("https://" + host + ":" + port);
        return List.copyOf(all);
    }

    private record Limits(
            @Key(min = "4", max = "2000") int threads,
            @Key(min = "10", max = "100000") int maxConnections,
            @Key(min = "1 s", max = "1 h") Duration keepAlive,
            @Key(min = "1 s", max = "10 minutes") Duration timeout,
            @Key(min = "1", max = "100000") int connectionsPerAddress) {}

    static HttpConfig read(Binder r) {
        Limits site = r.read("gelato.http", Limits.class);
        // Some threads are left for other requests.
        int transfers = Math.min(TRANSFERS, (site.threads - 1) / 2);
        return new HttpConfig(
                site.threads,
                site.maxConnections,
                transfers,
                MAX_BODY,
                site.keepAlive,
                site.timeout,
                transfers,
                site.threads / 2,
                site.connectionsPerAddress,
                HANDSHAKE_TIMEOUT);
    }
}
