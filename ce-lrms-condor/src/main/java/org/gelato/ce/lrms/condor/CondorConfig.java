package org.gelato.ce.lrms.condor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.lrms.command.CommandSite;
import org.gelato.ce.core.text.Words;

/**
 * How to reach a site's HTCondor.
 *
 * @param binDirectory where condor_submit and the other commands lie; absolute
 * @param configFile value of {@code CONDOR_CONFIG} for commands; null where HTCondor finds its configuration itself
 * @param commandTimeout after which a command is killed; at least a second. Some of them wait for a silent schedd for ever
 * @param queues lines of the submit description by queue; a queue without an entry has none
 * @param submitAttributes the site's {@code condor_local_submit_attributes.sh}; null for none
 * @param keepEnded how long HTCondor's queue shows ended jobs that nobody takes out; at least an hour
 * @param historyWindow how far back the history is read; at least a minute
 * @param suspendRunning whether jobs that run may be suspended by their users
 * @param nodesSeeSandboxes whether worker nodes see the sandboxes; otherwise HTCondor brings the wrapper there, and its output is
 *     discarded
 * @param eventLog HTCondor's global event log in JSON, read by this process; null for none
 */
public record CondorConfig(
        Path binDirectory,
        Path configFile,
        Duration commandTimeout,
        Map<String, List<SubmitLine>> queues,
        Path submitAttributes,
        Duration keepEnded,
        Duration historyWindow,
        boolean suspendRunning,
        boolean nodesSeeSandboxes,
        Path eventLog) {
    /** HTCondor as the distributions install it. */
    public static final CondorConfig DEFAULT = new CondorConfig(
            Path.of("/usr/bin"),
            null,
            Duration.ofSeconds(60),
            Map.of(),
            null,
            Duration.ofDays(10),
            Duration.ofDays(30),
            true,
            true,
            null);

    public CondorConfig {
        absolute("bin directory", binDirectory);
        absolute("configuration file", configFile);
        absolute("submit attributes", submitAttributes);
        absolute("event log", eventLog);
        atLeast("command timeout", commandTimeout, Duration.ofSeconds(1));
        atLeast("time to keep ended jobs", keepEnded, Duration.ofHours(1));
        atLeast("history window", historyWindow, Duration.ofMinutes(1));
        queues = Map.copyOf(queues);
    }

    private static void absolute(String name, Path path) {
        if (path != null && !path.isAbsolute()) {
            throw new IllegalArgumentException("HTCondor's " + name + " must be an absolute path: " + path);
        }
    }

    private static void atLeast(String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException(
                    "HTCondor's " + name + " must be at least " + Words.span(least) + ": " + Words.span(value));
        }
    }

    /** How its commands are called. */
    CommandSite site() {
        return new CommandSite(
                binDirectory,
                configFile == null ? Map.of() : Map.of("CONDOR_CONFIG", configFile.toString()),
                commandTimeout);
    }
}
