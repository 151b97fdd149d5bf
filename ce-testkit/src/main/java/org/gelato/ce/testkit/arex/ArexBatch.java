package org.gelato.ce.testkit.arex;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The batch system behind an A-REX.
 *
 * @param kind A-REX's name of it
 * @param lines further lines of its block in the configuration
 */
public record ArexBatch(String kind, List<String> lines) {
    private static final List<String> SLURM_COMMANDS =
            List.of("sbatch", "scancel", "squeue", "scontrol", "sinfo", "sacct");

    public ArexBatch {
        lines = List.copyOf(lines);
    }

    /** A-REX's own: a process for each job. */
    public static ArexBatch fork() {
        return new ArexBatch("fork", List.of());
    }

    /**
     * A Slurm. A-REX passes no environment to its scripts, so the commands it is given are scripts that set {@code SLURM_CONF}.
     *
     * @param conf the Slurm's configuration
     * @param commands a directory to make them in
     */
    public static ArexBatch slurm(Path conf, Path commands) {
        try {
            Files.createDirectories(commands);
            for (String name : SLURM_COMMANDS) {
                Path script = Files.writeString(
                        commands.resolve(name),
                        "#!/bin/sh\nSLURM_CONF=" + conf + "\nexport SLURM_CONF\nexec /usr/bin/" + name + " \"$@\"\n");
                Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Without accounting there is no sacct: what has ended is read with scontrol.
        return new ArexBatch(
                "slurm", List.of("slurm_bin_path=" + commands, "slurm_use_sacct=no", "slurm_wakeupperiod=1"));
    }
}
