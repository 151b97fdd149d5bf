package org.gelato.ce.ws.setup;

import java.util.List;

/** A site cannot be set up as requested; nothing, or nothing more, was written. */
public final class SetupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    SetupException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public SetupException(String problem) {
        this(List.of(problem));
    }

    /** One sentence each, with what to do; never empty. */
    public List<String> problems() {
        return problems;
    }
}
