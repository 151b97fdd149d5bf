package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.gelato.ce.lrms.torque.TorqueConfig;

/** Reads how Torque is reached. */
final class TorqueKeys {
    private static final String BLOCK = "gelato.lrms.torque.";
    private static final Pattern SERVER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.:-]{0,253}");

    private TorqueKeys() {}

    /**
     * @param shared whether worker nodes see the sandboxes
     * @param slurmConf for Slurm behind its Torque commands; null for Slurm's own default
     */
    static TorqueConfig read(ConfigReader r, Duration commandTimeout, boolean shared, Path slurmConf) {
        String server = r.text(BLOCK + "server", SERVER, "empty or a host name, with a port after a colon if need be");
        return new TorqueConfig(
                r.path(BLOCK + "bin-directory"),
                r.choice(BLOCK + "dialect", TorqueConfig.Dialect.class),
                r.optionalPath(BLOCK + "accounting-directory"),
                r.optionalPath(BLOCK + "submit-attributes"),
                r.number(BLOCK + "host-smp-size", 1, 100_000),
                r.choice(BLOCK + "gpu-style", TorqueConfig.GpuStyle.class),
                server.isEmpty() ? null : server,
                commandTimeout,
                shared,
                slurmConf);
    }
}
