package org.gelato.ce.core.delegation;

import java.time.Instant;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A bearer token that a client gives its jobs for other services. Those services verify it: its signature and claims need not be
 * any that this CE accepts. A secret, so that {@link #toString} shows none of it.
 *
 * @param text a compact JWT; its characters need no quotes in a shell, a header or a file
 * @param expiresAt what it says of its own end
 */
public record DelegatedToken(String text, Instant expiresAt) {
    /** Characters of the longest; no token of a grid has half of it. */
    public static final int MAX_LENGTH = 16 * 1024;

    private static final Pattern COMPACT = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");

    /** @throws IllegalArgumentException when the text is too long or not of three parts; without any of it */
    public DelegatedToken {
        Objects.requireNonNull(expiresAt);
        if (text.length() > MAX_LENGTH || !COMPACT.matcher(text).matches()) {
            throw new IllegalArgumentException("not a compact JWT of at most " + MAX_LENGTH + " characters");
        }
    }

    @Override
    public String toString() {
        return "token that ends at " + expiresAt;
    }
}
