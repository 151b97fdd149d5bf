package org.gelato.ce.core.fault;

/** The pages of documentation as messages cite them: by the path at which the packages install them. */
public final class Manual {
    private static final String DIRECTORY = "/usr/share/doc/gelato-ce/";

    private static final String SOURCES = "docs/";

    private Manual() {}

    /**
     * The path of a page.
     *
     * @param page its path in the sources, such as {@code docs/admin/upgrade.md}; as a literal, which a test looks up
     */
    public static String page(String page) {
        return DIRECTORY + page.substring(SOURCES.length());
    }
}
