package org.gelato.ce.core.jdl;

/** The JDL is refused. The message starts with the attribute's name, or with line and column for a syntax error. */
public class JdlException extends Exception {
    private static final long serialVersionUID = 1L;

    public JdlException(String message) {
        super(message);
    }
}
