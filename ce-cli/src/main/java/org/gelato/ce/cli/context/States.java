package org.gelato.ce.cli.context;

import java.util.List;
import java.util.Locale;

/** Names of job states on the command line; a wrong one would match nothing, or be ignored by the CE. */
public final class States {
    /** As jobs go through them, the ends last. */
    public static final List<String> IN_ORDER = List.of(
            "REGISTERED",
            "PENDING",
            "IDLE",
            "RUNNING",
            "REALLY-RUNNING",
            "HELD",
            "DONE-OK",
            "DONE-FAILED",
            "CANCELLED",
            "ABORTED");

    private States() {}

    /**
     * The names as the wire has them.
     *
     * @throws IllegalArgumentException for a name that is none
     */
    public static List<String> of(List<String> names) {
        return names.stream().map(States::of).toList();
    }

    private static String of(String name) {
        String upper = name.strip().toUpperCase(Locale.ROOT);
        if (!IN_ORDER.contains(upper)) {
            throw new IllegalArgumentException("'" + name + "' is no job state: one of "
                    + String.join(", ", IN_ORDER.stream().sorted().toList()));
        }
        return upper;
    }
}
