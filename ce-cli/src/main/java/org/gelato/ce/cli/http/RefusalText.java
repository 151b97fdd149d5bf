package org.gelato.ce.cli.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The reason in the body of a refusal. Stateless. */
public final class RefusalText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private RefusalText() {}

    /**
     * Plain text, or member {@code error} of an object, or that member's {@code message}.
     *
     * @param type of the body; null when none was sent
     * @return without spaces at its ends; empty when there is no reason, as in pages for browsers, or in a body that was cut short
     */
    public static String of(String type, byte[] body) {
        if (type == null) {
            return "";
        }
        if (type.startsWith("text/plain")) {
            return new String(body, StandardCharsets.UTF_8).strip();
        }
        if (type.startsWith("application/json")) {
            try {
                JsonNode error = JSON.readTree(body).path("error");
                return (error.isObject() ? error.path("message") : error)
                        .asText("")
                        .strip();
            } catch (IOException e) {
                return "";
            }
        }
        return "";
    }
}
