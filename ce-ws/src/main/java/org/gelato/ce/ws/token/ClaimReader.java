package org.gelato.ce.ws.token;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads claims by their types. A claim that is null counts as one of a wrong type, not as absent. */
final class ClaimReader {
    private static final Pattern NAME = Pattern.compile("[ -~]{1,255}");
    private static final BigDecimal YEAR_10000 = BigDecimal.valueOf(253_402_300_800L);
    private static final int MAX_SCALE = 30;
    private static final int MAX_ELEMENTS = 256;

    private final JsonNode claims;

    ClaimReader(JsonNode claims) {
        this.claims = claims;
    }

    boolean has(String name) {
        return claims.has(name);
    }

    /** The text of a claim; null when it is absent. */
    String text(String name) throws TokenRefusal {
        JsonNode value = claims.get(name);
        if (value == null) {
            return null;
        }
        if (!value.isTextual()) {
            throw TokenRefusal.invalid(name, "is not a text");
        }
        return value.textValue();
    }

    /** 1 to 255 printable ASCII characters; null when absent. */
    String name(String name) throws TokenRefusal {
        String text = text(name);
        if (text != null && !NAME.matcher(text).matches()) {
            throw TokenRefusal.invalid(name, "is not 1 to 255 printable ASCII characters");
        }
        return text;
    }

    <T> T required(String name, T value) throws TokenRefusal {
        if (value == null) {
            throw TokenRefusal.invalid(name, "is missing");
        }
        return value;
    }

    /** Seconds since 1970, cut to whole ones; null when absent. */
    Instant time(String name) throws TokenRefusal {
        JsonNode value = claims.get(name);
        if (value == null) {
            return null;
        }
        if (!value.isNumber()) {
            throw TokenRefusal.invalid(name, "is not a number");
        }
        BigDecimal seconds = value.decimalValue();
        // Before it is compared: 1e999999999 is short in the token and not in memory.
        if (Math.abs((long) seconds.scale()) > MAX_SCALE
                || seconds.signum() < 0
                || seconds.compareTo(YEAR_10000) >= 0) {
            throw TokenRefusal.invalid(name, "is not a time between 1970 and 9999 in seconds");
        }
        return Instant.ofEpochSecond(seconds.setScale(0, RoundingMode.FLOOR).longValueExact());
    }

    /** The texts of an array; empty when absent. */
    List<String> texts(String name) throws TokenRefusal {
        JsonNode value = claims.get(name);
        if (value == null) {
            return List.of();
        }
        if (!value.isArray() || value.size() > MAX_ELEMENTS) {
            throw TokenRefusal.invalid(name, "is not an array of at most " + MAX_ELEMENTS + " texts");
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode element : value) {
            if (!element.isTextual()) {
                throw TokenRefusal.invalid(name, "has an element that is not a text");
            }
            texts.add(element.textValue());
        }
        return texts;
    }

    /** As {@link #texts}; one text alone is a list of it. */
    List<String> textOrTexts(String name) throws TokenRefusal {
        JsonNode value = claims.get(name);
        return value != null && value.isTextual() ? List.of(value.textValue()) : texts(name);
    }
}
