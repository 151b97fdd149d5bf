package org.gelato.ce.core.authorization;

import org.gelato.ce.core.identity.FqanPattern;

/**
 * A grid-mapfile entry for VOMS attributes.
 *
 * @param line where it stands, and what it gives
 */
record FqanRule(FqanPattern pattern, MappingLine line) {
    /** @throws IllegalArgumentException when the text can't be an FQAN pattern */
    static FqanRule of(String text, MappingLine line) {
        return new FqanRule(FqanPattern.of(text), line);
    }

    boolean matches(String fqan) {
        return pattern.matches(fqan);
    }
}
