package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;

/** Reads the JSON that a CE has for its administrators. */
final class AdminPages {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpsGet https;

    AdminPages(HttpsGet https) {
        this.https = https;
    }

    /**
     * The object at a path.
     *
     * @param path percent-encoded
     * @param most bytes
     * @throws CliException when the CE refuses the request or does not respond, and for anything but JSON
     */
    JsonNode read(String path, int most) {
        return read(() -> https.open(path), most);
    }

    /**
     * What the CE returns to a change; as {@link #read(String, int)}.
     *
     * @param method {@code PUT} or {@code DELETE}
     */
    JsonNode change(String method, String path, int most) {
        return read(() -> https.change(method, path), most);
    }

    private static JsonNode read(Supplier<InputStream> response, int most) {
        byte[] body;
        try (InputStream in = response.get()) {
            body = in.readNBytes(most + 1);
        } catch (IOException e) {
            throw new ConnectionFailure("the connection broke: " + e.getMessage(), e);
        }
        if (body.length > most) {
            throw new CliException("the CE's response is larger than " + most + " bytes");
        }
        return parse(body);
    }

    static JsonNode parse(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new CliException("the CE's response is not JSON: " + e.getMessage(), e);
        }
    }

    /** A text for a query. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
