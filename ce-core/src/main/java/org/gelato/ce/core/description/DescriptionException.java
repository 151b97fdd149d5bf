package org.gelato.ce.core.description;

/** The JDL is refused. The message starts with the attribute's name, or with line and column for a syntax error. */
public class DescriptionException extends Exception {
    private static final long serialVersionUID = 1L;

    public DescriptionException(String message) {
        super(message);
    }
}
