package org.gelato.ce.cli.http;

import java.util.Map;
import javax.net.ssl.SSLContext;

/** What connections to a CE are made with: TLS, with or without a client certificate, and a bearer token where there is one. */
public final class Access {
    private final SSLContext tls;
    private final Map<String, String> headers;

    /** @param token null for none; it is sent with every request and shown nowhere */
    public Access(SSLContext tls, String token) {
        this.tls = tls;
        this.headers = token == null ? Map.of() : Map.of("Authorization", "Bearer " + token);
    }

    public SSLContext tls() {
        return tls;
    }

    /** Headers of every request. */
    public Map<String, String> headers() {
        return headers;
    }

    @Override
    public String toString() {
        return headers.isEmpty() ? "Access[]" : "Access[with a token]";
    }
}
