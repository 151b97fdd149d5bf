package org.gelato.ce.lrms.torque;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What {@link TorqueLrms} runs as the helper's own account, for the helper's configuration. Where that account is root, the
 * helper runs nothing else. Functions without state.
 */
public final class TorqueOwnAccountCommands {
    /**
     * Has qstat leave out jobs that have ended (Torque's qstat(1), as {@code -c}). A variable, since a version that does not
     * know it then shows them, where an option would be an error.
     */
    static final Map<String, String> WITHOUT_ENDED = Map.of("PBS_QSTAT_NO_COMPLETE", "1");

    private TorqueOwnAccountCommands() {}

    /** Command lines, words separated by one blank. */
    public static List<String> lines(TorqueConfig config) {
        String qstat = config.binDirectory().resolve("qstat").toString();
        return Stream.of(listing(config, true), listing(config, false), health(config))
                .map(words -> qstat + " " + String.join(" ", words))
                .distinct()
                .toList();
    }

    /** {@code NAME=value} of each variable. */
    public static List<String> environment(TorqueConfig config) {
        return Stream.concat(
                        TorqueCommands.environment(config).entrySet().stream(),
                        config.accountingDirectory() == null ? Stream.empty() : WITHOUT_ENDED.entrySet().stream())
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
    }

    /** qstat's words for all jobs. */
    static List<String> listing(TorqueConfig config, boolean xml) {
        return words(config, xml && !config.slurm() ? List.of("-f", "-x") : List.of("-f"));
    }

    /** qstat's words for the queues: the cheapest question that only a living server answers. */
    static List<String> health(TorqueConfig config) {
        return words(config, List.of("-Q"));
    }

    private static List<String> words(TorqueConfig config, List<String> options) {
        return config.atServer().isEmpty()
                ? options
                : Stream.concat(options.stream(), Stream.of(config.atServer())).toList();
    }
}
