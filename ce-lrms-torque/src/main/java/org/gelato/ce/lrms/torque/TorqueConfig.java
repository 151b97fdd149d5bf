package org.gelato.ce.lrms.torque;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.command.CommandSite;
import org.gelato.ce.core.text.Words;

/**
 * How to reach a site's Torque.
 *
 * @param binDirectory where qsub, qstat, qdel, qhold and qrls lie; absolute
 * @param dialect whose commands these are
 * @param accountingDirectory the server's {@code server_priv/accounting}, readable by this process; null for none
 * @param submitAttributes the site's {@code pbs_local_submit_attributes.sh}; null for none
 * @param hostSmpSize cores of a whole node, at least 1
 * @param gpuStyle how GPUs are requested
 * @param server the server's name where it is not the clients' default one; null for that
 * @param commandTimeout after which a command is killed; at least a second
 * @param nodesSeeSandboxes whether wrappers print into the sandbox; otherwise their output is discarded
 * @param slurmConf value of {@code SLURM_CONF} in Slurm's dialect; null where Slurm finds its configuration itself
 */
public record TorqueConfig(
        Path binDirectory,
        Dialect dialect,
        Path accountingDirectory,
        Path submitAttributes,
        int hostSmpSize,
        GpuStyle gpuStyle,
        String server,
        Duration commandTimeout,
        boolean nodesSeeSandboxes,
        Path slurmConf) {
    static final Pattern SERVER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.:-]{0,253}");

    /** Torque as its packages install it. */
    public static final TorqueConfig DEFAULT = new TorqueConfig(
            Path.of("/usr/bin"),
            Dialect.TORQUE,
            null,
            null,
            1,
            GpuStyle.NODES,
            null,
            Duration.ofSeconds(60),
            true,
            null);

    /** Whose commands are called. */
    public enum Dialect {
        TORQUE,
        /** The commands of Debian's slurm-wlm-torque, in front of Slurm. */
        SLURM
    }

    /** How a job requests GPUs. */
    public enum GpuStyle {
        /** {@code nodes=…:gpus=G}, which pbs_server and pbs_sched understand. */
        NODES,
        /** {@code -W x='GRES:gpu@G'}, for a site scheduled by Maui. */
        MAUI
    }

    public TorqueConfig {
        absolute("bin directory", binDirectory);
        absolute("accounting directory", accountingDirectory);
        absolute("submit attributes", submitAttributes);
        absolute("slurm.conf", slurmConf);
        if (hostSmpSize < 1) {
            throw new IllegalArgumentException("the cores of a host must be at least 1: " + hostSmpSize);
        }
        if (server != null && !SERVER.matcher(server).matches()) {
            throw new IllegalArgumentException("not the name of a server: '" + server + "'");
        }
        if (commandTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "Torque's command timeout must be at least 1 s: " + Words.span(commandTimeout));
        }
    }

    private static void absolute(String name, Path path) {
        if (path != null && !path.isAbsolute()) {
            throw new IllegalArgumentException("Torque's " + name + " must be an absolute path: " + path);
        }
    }

    /** How its commands are called. */
    CommandSite site() {
        return new CommandSite(
                binDirectory,
                slurm() && slurmConf != null ? Map.of("SLURM_CONF", slurmConf.toString()) : Map.of(),
                commandTimeout);
    }

    /** The batch system's name in ids of CEs. */
    String idName() {
        return slurm() ? "slurm" : "pbs";
    }

    boolean slurm() {
        return dialect == Dialect.SLURM;
    }

    /** {@code @server} to be added to a queue or a job id; empty where the clients' default is used. */
    String atServer() {
        return server == null || slurm() ? "" : "@" + server;
    }
}
