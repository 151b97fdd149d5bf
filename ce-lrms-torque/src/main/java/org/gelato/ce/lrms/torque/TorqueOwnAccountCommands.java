package org.gelato.ce.lrms.torque;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.lrms.command.CommandSite;

/**
 * What {@link TorqueLrms} runs as the helper's own account, for the helper's configuration. Where that account is root, the
 * helper runs nothing else. Functions without state.
 */
public final class TorqueOwnAccountCommands {
    /**
     * Makes qstat leave out jobs that have ended (Torque's qstat(1), as {@code -c}). A version that does not know the
     * variable shows them; an unknown option would be an error.
     */
    static final Map<String, String> WITHOUT_ENDED = Map.of("PBS_QSTAT_NO_COMPLETE", "1");

    private TorqueOwnAccountCommands() {}

    /** Command lines, arguments separated by one blank. */
    public static List<String> lines(TorqueConfig config) {
        return Stream.concat(
                        Stream.of(listing(config, true), listing(config, false), health(config), queues(config))
                                .map(arguments -> line(config, "qstat", arguments))
                                .distinct(),
                        Stream.of(line(config, "pbsnodes", nodes(config))))
                .toList();
    }

    /** The line for {@link #server}, which a CE can do without. */
    static String serverLine(TorqueConfig config) {
        return line(config, "qstat", server(config));
    }

    private static String line(TorqueConfig config, String program, List<String> words) {
        return config.site().program(program) + " " + String.join(" ", words);
    }

    /** {@code NAME=value} of each variable. */
    public static List<String> environment(TorqueConfig config) {
        Map<String, String> environment = config.site().environment();
        if (config.accountingDirectory() != null) {
            environment.putAll(WITHOUT_ENDED);
        }
        return CommandSite.lines(environment);
    }

    /** qstat's arguments for all jobs. */
    static List<String> listing(TorqueConfig config, boolean xml) {
        return arguments(config, xml && !config.slurm() ? List.of("-f", "-x") : List.of("-f"));
    }

    /** qstat's arguments for the queues: the cheapest query that needs a running server. */
    static List<String> health(TorqueConfig config) {
        return arguments(config, List.of("-Q"));
    }

    /** qstat's arguments for the queues with their limits. */
    static List<String> queues(TorqueConfig config) {
        return arguments(config, List.of("-Q", "-f"));
    }

    /** qstat's arguments for the server itself; for its default one where none is configured. */
    static List<String> server(TorqueConfig config) {
        return config.server().isEmpty() ? List.of("-B", "-f") : List.of("-B", "-f", config.server());
    }

    /** pbsnodes' arguments for all nodes. */
    static List<String> nodes(TorqueConfig config) {
        return config.atServer().isEmpty() ? List.of("-a") : List.of("-a", "-s", config.server());
    }

    private static List<String> arguments(TorqueConfig config, List<String> options) {
        return config.atServer().isEmpty()
                ? options
                : Stream.concat(options.stream(), Stream.of(config.atServer())).toList();
    }
}
