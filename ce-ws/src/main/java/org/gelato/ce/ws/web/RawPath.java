package org.gelato.ce.ws.web;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What no path of a request may hold, as it was sent: proxies before the CE and the container read it in different ways, so that a
 * rule of a proxy for one path would let another one pass. Doubled slashes are none of it: clients of CREAM send them. Functions
 * without state.
 */
public final class RawPath {
    /** The container takes it for the begin of a parameter, which it cuts out of the path. */
    private static final char PARAMETER = ';';

    private static final Pattern DOTS = Pattern.compile("(?:^|/)\\.{1,2}(?:/|$)");
    private static final Pattern ENCODED = Pattern.compile("%([0-9A-Fa-f]{2})");
    private static final Pattern ENCODED_SLASH = Pattern.compile("%(?:2[Ff]|5[Cc])");

    private RawPath() {}

    /**
     * Why a path is refused.
     *
     * @param raw not decoded, without the query
     * @return null for one that everybody reads in the same way
     */
    public static String fault(String raw) {
        if (raw.indexOf(PARAMETER) >= 0) {
            return "the path holds a bare semicolon; one of a file's name is written as %3B";
        }
        if (raw.indexOf('\\') >= 0 || ENCODED_SLASH.matcher(raw).find()) {
            return "the path holds a backslash or an encoded slash";
        }
        String decoded = decoded(raw);
        if (decoded.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            return "the path holds a control character";
        }
        return DOTS.matcher(decoded).find() ? "the path holds a part of dots alone" : null;
    }

    /** Each byte is a character: all that is looked for is ASCII. */
    private static String decoded(String raw) {
        Matcher encoded = ENCODED.matcher(raw);
        return encoded.replaceAll(
                found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 16))));
    }
}
