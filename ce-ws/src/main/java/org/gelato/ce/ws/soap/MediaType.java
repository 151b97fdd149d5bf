package org.gelato.ce.ws.soap;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request's Content-Type.
 *
 * @param charset null when not named
 * @param action SOAP 1.2's action; null when absent
 */
public record MediaType(String charset, String action) {
    private static final Set<String> TYPES = Set.of("text/xml", "application/soap+xml", "application/xml");
    /** Others are not offered by clients. */
    private static final Set<String> CHARSETS =
            Set.of("utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "us-ascii");

    private static final Pattern PARAMETER =
            Pattern.compile(";\\s*([A-Za-z0-9!#$&^_.+-]+)\\s*=\\s*(?:\"([^\"]*)\"|([^\\s;\"]*))\\s*");

    /** Reads the header; empty for a type or charset we do not take. An absent header counts as text/xml. */
    public static Optional<MediaType> parse(String header) {
        if (header == null || header.isBlank()) {
            return Optional.of(new MediaType(null, null));
        }
        int end = header.indexOf(';');
        String type = (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        if (!TYPES.contains(type)) {
            return Optional.empty();
        }
        String charset = null;
        String action = null;
        Matcher parameters = PARAMETER.matcher(end < 0 ? "" : header.substring(end));
        while (parameters.find()) {
            String value = parameters.group(2) == null ? parameters.group(3) : parameters.group(2);
            switch (parameters.group(1).toLowerCase(Locale.ROOT)) {
                case "charset" -> charset = value.toLowerCase(Locale.ROOT);
                case "action" -> action = value;
                default -> {
                    // no other parameter matters
                }
            }
        }
        if (charset != null && !CHARSETS.contains(charset)) {
            return Optional.empty();
        }
        return Optional.of(new MediaType(charset, action));
    }
}
