package org.gelato.ce.ws.config;

import java.time.Duration;
import java.util.regex.Pattern;
import org.gelato.ce.lrms.slurm.SlurmConfig;

/** Reads how Slurm is reached. */
final class SlurmKeys {
    private static final String BLOCK = "gelato.lrms.slurm.";
    private static final Pattern NODE_OUTPUT = Pattern.compile("/[^\\\\\\p{Cntrl}]{0,1000}");

    private SlurmKeys() {}

    /** @param shared whether worker nodes see the sandboxes */
    static SlurmConfig read(ConfigReader r, Duration commandTimeout, boolean shared) {
        String output = r.text(BLOCK + "node-output", NODE_OUTPUT, "empty or an absolute path without backslash");
        String outputOnNode = output.isEmpty() ? "/dev/null" : output;
        return new SlurmConfig(
                r.path(BLOCK + "bin-directory"),
                r.optionalPath(BLOCK + "conf"),
                commandTimeout,
                r.choice(BLOCK + "accounting", SlurmConfig.Accounting.class),
                r.duration(BLOCK + "history-window", Duration.ofMinutes(1), Duration.ofDays(365)),
                r.optionalPath(BLOCK + "job-completion-log"),
                r.choice(BLOCK + "api", SlurmConfig.Api.class),
                r.path(BLOCK + "slurmrestd"),
                r.flag(BLOCK + "suspend-running"),
                shared ? null : outputOnNode,
                r.optionalPath(BLOCK + "submit-attributes"));
    }
}
