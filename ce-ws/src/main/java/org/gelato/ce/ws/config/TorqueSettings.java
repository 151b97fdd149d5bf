package org.gelato.ce.ws.config;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What counts for Torque alone.
 *
 * @param binDirectory where qsub and its kin are
 * @param dialect whose commands these are
 * @param accountingDirectory the server's accounting log; null when it is not read
 * @param submitAttributes the site's script that adds directives; null for none
 * @param hostSmpSize cores of a whole node
 * @param gpuStyle how GPUs are asked for
 * @param server null for the clients' default one
 */
public record TorqueSettings(
        Path binDirectory,
        Dialect dialect,
        Path accountingDirectory,
        Path submitAttributes,
        int hostSmpSize,
        GpuStyle gpuStyle,
        String server) {
    private static final Pattern SERVER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.:-]{0,253}");

    /** Whose commands there are. */
    public enum Dialect {
        TORQUE,
        SLURM
    }

    /** How GPUs are asked for. */
    public enum GpuStyle {
        NODES,
        MAUI
    }

    static TorqueSettings read(ConfigReader r) {
        String server = r.text(
                "gelato.lrms.torque.server", SERVER, "empty or a host name, with a port after a colon if need be");
        return new TorqueSettings(
                r.path("gelato.lrms.torque.bin-directory"),
                r.choice("gelato.lrms.torque.dialect", Dialect.class),
                r.optionalPath("gelato.lrms.torque.accounting-directory"),
                r.optionalPath("gelato.lrms.torque.submit-attributes"),
                r.number("gelato.lrms.torque.host-smp-size", 1, 100_000),
                r.choice("gelato.lrms.torque.gpu-style", GpuStyle.class),
                server == null || server.isEmpty() ? null : server);
    }
}
