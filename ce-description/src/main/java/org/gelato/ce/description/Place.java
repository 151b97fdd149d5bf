package org.gelato.ce.description;

/** Puts the place of an error into its text. */
public final class Place {
    private Place() {}

    /**
     * The same error with its place, unless it has one.
     *
     * @param line from 1
     * @param column from 1, in characters
     */
    public static DescriptionException in(DescriptionException e, int line, int column) {
        if (e.line() > 0) {
            return e;
        }
        return DescriptionException.naming(
                        e.attribute(), e.getMessage() + " (line " + line + ", column " + column + ")")
                .at(line, column);
    }
}
