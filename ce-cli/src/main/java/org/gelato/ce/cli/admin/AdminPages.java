package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.json.Json;

/** Reads the JSON that a CE has for its administrators. */
final class AdminPages {
    private final HttpsGet https;

    AdminPages(HttpsGet https) {
        this.https = https;
    }

    /**
     * The document at a path.
     *
     * @param path percent-encoded
     * @param most bytes
     * @throws CliException when the CE refuses the request or does not respond, and for anything but such a document
     */
    <T> T read(String path, int most, Class<T> type) {
        return read(() -> https.open(path), most, type);
    }

    /**
     * What the CE returns to a change; as {@link #read(String, int, Class)}.
     *
     * @param method {@code PUT} or {@code DELETE}
     */
    <T> T change(String method, String path, int most, Class<T> type) {
        return read(() -> https.change(method, path), most, type);
    }

    private static <T> T read(Supplier<InputStream> response, int most, Class<T> type) {
        byte[] body;
        try (InputStream in = response.get()) {
            body = in.readNBytes(most + 1);
        } catch (IOException e) {
            throw new ConnectionFailure("the connection broke: " + e.getMessage(), e);
        }
        if (body.length > most) {
            throw new CliException("the CE's response is larger than " + most + " bytes");
        }
        return parse(body, type);
    }

    static <T> T parse(byte[] json, Class<T> type) {
        try {
            T document = Json.MAPPER.readValue(json, type);
            if (document == null) {
                throw new CliException("the CE's response is null");
            }
            return document;
        } catch (JsonProcessingException e) {
            throw new CliException("the CE's response cannot be read: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory have no errors of input", e);
        }
    }

    /** A text for a query. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
