package org.gelato.ce.ws.setup.migration;

/**
 * What a route of HTCondor-CE says, in either syntax.
 *
 * @param command what kind of statement it is
 * @param name of the attribute or value, as written; for {@link Command#OTHER} the whole, for the report
 * @param value its expression, on one line; empty where there is none
 */
record Statement(SourcePlace place, Command command, String name, String value) {
    /** In one route. */
    static final int MAX = 1000;

    enum Command {
        /** An attribute of the routed job. */
        SET,
        /** An attribute where the job has none. */
        DEFAULT,
        /** Of the route itself, such as {@code MaxIdleJobs}. */
        VALUE,
        REQUIREMENTS,
        UNIVERSE,
        NAME,
        /** Has no like here. */
        OTHER
    }

    /** As the report names it. */
    String shown() {
        return switch (command) {
            case SET -> "SET " + name;
            case DEFAULT -> "DEFAULT " + name;
            case REQUIREMENTS, UNIVERSE, NAME -> command.name();
            case VALUE, OTHER -> name;
        };
    }
}
