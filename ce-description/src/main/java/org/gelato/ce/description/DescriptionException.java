package org.gelato.ce.description;

/**
 * A job description is refused. The message is what clients see: it names the attribute, and for an error of syntax line
 * and column. Attribute and place are fields as well, for readers that must not see the values that messages show.
 */
public class DescriptionException extends Exception {
    private static final long serialVersionUID = 2L;

    private final String attribute;
    private final int line;
    private final int column;

    /** The description as a whole is refused: no attribute. */
    public DescriptionException(String message) {
        this(null, 0, 0, message);
    }

    /** @param attribute whose value is refused; the message is its name, a colon and the reason */
    public DescriptionException(String attribute, String reason) {
        this(attribute, 0, 0, attribute + ": " + reason);
    }

    private DescriptionException(String attribute, int line, int column, String message) {
        super(message);
        this.attribute = attribute;
        this.line = line;
        this.column = column;
    }

    /** @param message which names the attribute itself */
    public static DescriptionException naming(String attribute, String message) {
        return new DescriptionException(attribute, 0, 0, message);
    }

    /**
     * The same error with its place in the text.
     *
     * @param line from 1
     * @param column from 1, in characters
     */
    public DescriptionException at(int line, int column) {
        DescriptionException placed = new DescriptionException(attribute, line, column, getMessage());
        placed.setStackTrace(getStackTrace());
        return placed;
    }

    /** What is refused, as its rule spells it, or the description where no rule knows it; null for the description as a whole. */
    public String attribute() {
        return attribute;
    }

    /** Of the place in the text, from 1; 0 when it is not known. */
    public int line() {
        return line;
    }

    /** Of the place in the text, from 1, in characters; 0 when it is not known. */
    public int column() {
        return column;
    }
}
