package org.gelato.ce.lrms.torque;

import java.nio.file.Path;
import org.gelato.ce.core.base.Key;
import org.gelato.ce.core.lrms.command.CommandSettings;
import org.gelato.ce.core.lrms.command.CommandSite;

/**
 * How to reach a site's Torque.
 *
 * @param commands qsub, qstat, qdel, qhold and qrls. Where worker nodes do not see the sandboxes, what wrappers print is discarded
 * @param dialect whose commands these are
 * @param accountingDirectory the server's {@code server_priv/accounting}, readable by this process; null for none
 * @param hostSmpSize cores of a whole node, at least 1
 * @param gpuStyle how GPUs are requested
 * @param server the server's name where it is not the clients' default one; empty for that
 * @param slurmConf value of {@code SLURM_CONF} in Slurm's dialect, that of Slurm's own section; null where Slurm finds its configuration
 *     itself
 */
public record TorqueConfig(
        @Key(Key.BESIDE) CommandSettings commands,
        @Key Dialect dialect,
        @Key(optional = true) Path accountingDirectory,
        @Key(min = "1", max = "100000") int hostSmpSize,
        @Key GpuStyle gpuStyle,

        @Key(
                form = "[A-Za-z0-9][A-Za-z0-9.:-]{0,253}",
                accepted = "empty or a host name, with a port after a colon if need be",
                optional = true)
        String server,

        @Key(value = "gelato.lrms.slurm.conf", optional = true)
        Path slurmConf) {
    /** Torque as its packages install it. */
    public static final TorqueConfig DEFAULT =
            new TorqueConfig(CommandSettings.DEFAULT, Dialect.TORQUE, null, 1, GpuStyle.NODES, "", null);

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

    /** How its commands are called. */
    CommandSite site() {
        return commands.site("SLURM_CONF", slurm() ? slurmConf : null);
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
        return server.isEmpty() || slurm() ? "" : "@" + server;
    }
}
