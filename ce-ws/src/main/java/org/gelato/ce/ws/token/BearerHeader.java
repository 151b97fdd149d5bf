package org.gelato.ce.ws.token;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the token in {@code Authorization} headers; RFC 6750 section 2.1. A token elsewhere in a request is none. */
public final class BearerHeader {
    private static final String SCHEME = "bearer";
    /** Possessive: the text may be long and hostile. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]++=*+");

    private BearerHeader() {}

    /**
     * The token of a request.
     *
     * @param headers values of all {@code Authorization} headers
     * @return empty when there is none, or one of another scheme
     * @throws TokenRefusal of the kind {@link TokenRefusal.Kind#INVALID_REQUEST}
     */
    public static Optional<String> token(List<String> headers) throws TokenRefusal {
        boolean any = headers.stream().anyMatch(BearerHeader::isBearer);
        if (!any) {
            return Optional.empty();
        }
        if (headers.size() > 1) {
            throw malformed("there are several Authorization headers: send one");
        }
        String token = headers.get(0).strip().substring(SCHEME.length()).stripLeading();
        if (!TOKEN.matcher(token).matches()) {
            throw malformed("after Bearer there is not exactly one token");
        }
        return Optional.of(token);
    }

    private static boolean isBearer(String header) {
        String text = header.strip();
        String scheme = text.substring(0, Math.min(text.length(), SCHEME.length()));
        return scheme.toLowerCase(Locale.ROOT).equals(SCHEME)
                && (text.length() == SCHEME.length() || Character.isWhitespace(text.charAt(SCHEME.length())));
    }

    private static TokenRefusal malformed(String description) {
        return new TokenRefusal(TokenRefusal.Kind.INVALID_REQUEST, "Authorization", description);
    }
}
