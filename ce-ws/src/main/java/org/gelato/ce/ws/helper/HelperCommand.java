package org.gelato.ce.ws.helper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.blahbridge.HelperBinary;
import org.gelato.ce.core.lrms.SubmitAttributes;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.lrms.slurm.SlurmOwnAccountCommands;
import org.gelato.ce.lrms.slurm.SlurmRestService;
import org.gelato.ce.lrms.torque.TorqueConfig;
import org.gelato.ce.lrms.torque.TorqueOwnAccountCommands;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.LrmsConfig;
import org.gelato.ce.ws.gridftp.GridFtp;

/**
 * The command line that starts the helper: the site's own, or the helper that comes with this software with limits written
 * for the configured batch system. Called once, at start.
 */
public final class HelperCommand {
    private static final String MINIMUM_UID = "min_uid=1000";
    // Of submissions and cancels; listings come in pieces and have a bound of their own.
    private static final int MAX_OUTPUT = 1 << 20;

    private final CeConfig config;

    public HelperCommand(CeConfig config) {
        this.config = config;
    }

    /**
     * Program and arguments.
     *
     * @throws IOException when the helper that comes with this software cannot be unpacked or given its limits
     */
    public List<String> line() throws IOException {
        return line(config.home().resolve("helper"));
    }

    /**
     * {@link #line()} with another place for the helper that comes with this software and its limits.
     *
     * @throws IOException as {@link #line()}
     */
    public List<String> line(Path home) throws IOException {
        List<String> line = new ArrayList<>(config.helper().command());
        Path limits = config.helper().config();
        if (line.isEmpty()) {
            line.add(HelperBinary.extract(home).toString());
            limits = limits == null ? written(home) : limits;
        }
        if (limits != null) {
            line.addAll(List.of("-c", limits.toString()));
        }
        return line;
    }

    /**
     * Puts the helper's program, {@code gelato-helper}, into a directory that only its owner can write.
     *
     * @throws IOException also when there is no program for this machine
     */
    public static Path unpack(Path directory) throws IOException {
        return HelperBinary.extract(directory);
    }

    private Path written(Path home) throws IOException {
        Path file = home.resolve("helper.conf");
        Files.write(file, limits());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return file;
    }

    /** The lines of a helper's configuration that suffice for the configured batch system, {@code key=value} each. */
    public List<String> limits() {
        LrmsConfig lrms = config.lrms();
        List<String> lines = new ArrayList<>(
                List.of("sandbox_root=" + config.sandboxRoot(), MINIMUM_UID, "max_output=" + MAX_OUTPUT));
        switch (lrms.kind()) {
            // Not for the helper's own account: where that is root, a shell would be root's.
            case FORK -> lines.add("executable=/bin/bash");
            case SLURM -> slurm(lrms.slurm(), lines);
            case TORQUE -> torque(lrms.torque(), lines);
            // blahpd runs its own programs; the helper writes job wrappers only.
            case BLAHP -> {}
        }
        if (config.gridFtp().enabled()) {
            lines.add("service=" + String.join(" ", GridFtp.serviceLine(config.gridFtp())));
        }
        return lines;
    }

    private static void slurm(SlurmConfig slurm, List<String> lines) {
        for (String name : List.of("sbatch", "scancel", "squeue", "scontrol", "sinfo", "sacct")) {
            lines.add("executable=" + slurm.binDirectory().resolve(name));
        }
        if (slurm.submitAttributes() != null) {
            lines.add("executable=" + SubmitAttributes.SHELL);
        }
        if (slurm.api() != SlurmConfig.Api.COMMANDS) {
            SlurmRestService.lines(slurm).forEach(line -> lines.add("account_service=" + line));
            SlurmRestService.environment(slurm)
                    .forEach(variable -> lines.add("account_service_environment=" + variable));
        }
        SlurmOwnAccountCommands.lines(slurm).forEach(own -> lines.add("self_executable=" + own));
        SlurmOwnAccountCommands.environment(slurm).forEach(variable -> lines.add("self_environment=" + variable));
    }

    private static void torque(TorqueConfig torque, List<String> lines) {
        for (String name : List.of("qsub", "qdel", "qhold", "qrls", "qstat", "pbsnodes")) {
            lines.add("executable=" + torque.binDirectory().resolve(name));
        }
        if (torque.submitAttributes() != null) {
            lines.add("executable=" + SubmitAttributes.SHELL);
        }
        TorqueOwnAccountCommands.lines(torque).forEach(own -> lines.add("self_executable=" + own));
        TorqueOwnAccountCommands.environment(torque).forEach(variable -> lines.add("self_environment=" + variable));
    }
}
