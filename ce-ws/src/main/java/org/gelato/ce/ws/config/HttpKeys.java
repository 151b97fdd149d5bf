package org.gelato.ce.ws.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.gelato.ce.ws.server.HttpConfig;

/** Reads the limits of the HTTP server. */
final class HttpKeys {
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

    static HttpConfig read(Binder r) {
        HttpConfig http = r.read("gelato.http", HttpConfig.class);
        if (http.downloads() + http.uploads() >= http.threads()) {
            r.refuse(
                    "gelato.http.threads",
                    "more than http.downloads and http.uploads together: transfers would leave none for requests");
        }
        return http;
    }
}
