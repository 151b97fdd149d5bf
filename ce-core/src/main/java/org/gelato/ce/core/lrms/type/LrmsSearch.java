package org.gelato.ce.core.lrms.type;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** How a setup looks at a host: by programs that change nothing. */
public interface LrmsSearch {
    /** The values of one of the type's {@link SetupOption}s, in their order; empty when it was not given. */
    List<String> option(String name);

    /**
     * Runs a program for its output: 64 KiB and ten seconds at most, without input. Blocks.
     *
     * @param environment added to the process's own
     */
    Result run(Path program, List<String> arguments, Map<String, String> environment);

    /**
     * What a program did.
     *
     * @param good whether it ended in time with 0
     * @param output of it
     * @param error the first line of its standard error, or why it did not run; one line
     */
    record Result(boolean good, String output, String error) {}
}
