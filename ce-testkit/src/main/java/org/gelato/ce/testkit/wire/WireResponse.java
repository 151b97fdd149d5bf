package org.gelato.ce.testkit.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * An HTTP response as it came.
 *
 * @param phrase after the status; empty without one
 * @param headers by name in lower case; of several with one name the last
 * @param lines the headers byte for byte, in their order, without the ends of the lines
 * @param body without the transfer coding; empty without one
 */
public record WireResponse(int status, String phrase, Map<String, String> headers, List<String> lines, byte[] body) {
    public WireResponse {
        lines = List.copyOf(lines);
        headers = Map.copyOf(headers);
    }

    /** The body as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The value of a header, or the empty text. */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** The type of the body without parameters; empty when the server names none. */
    public String mediaType() {
        return header("content-type").split(";", 2)[0].strip();
    }
}
