package org.gelato.ce.lrms.slurm;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.lrms.command.CommandSite;

/**
 * What {@link SlurmLrms} runs as the helper's own account, for the helper's configuration. Where that account is root, the
 * helper runs nothing else: {@code scontrol write} would give access to any file. Functions without state.
 */
public final class SlurmOwnAccountCommands {
    /** The settings of the controller, with its name and that of its cluster. */
    static final List<String> SETTINGS = List.of("show", "config");

    private SlurmOwnAccountCommands() {}

    /** The line for {@link #SETTINGS}, which a CE can do without. */
    static String settings(SlurmConfig config) {
        return config.site().program("scontrol") + " " + String.join(" ", SETTINGS);
    }

    /** Command lines, arguments separated by one blank; a star at the end of an argument stands for its variable part. */
    public static List<String> lines(SlurmConfig config) {
        String bin = config.commands().binDirectory() + "/";
        String sacct = bin + "sacct --noheader --parsable2 --allusers --duplicates --delimiter=* --starttime=now-* ";
        Stream<String> suspending = config.suspendRunning()
                ? Stream.of(bin + "scontrol suspend *", bin + "scontrol resume *")
                : Stream.empty();
        Stream<String> reading = Stream.of(
                bin + "scontrol ping",
                bin + "sinfo " + String.join(" ", SinfoListing.ARGUMENTS),
                bin + "squeue --noheader --states=all --Format=*",
                bin + "squeue --noheader --states=all --name=* --Format=*",
                sacct + "--jobs=* --format=*",
                sacct + "--name=* --format=*");
        return Stream.concat(reading, suspending).toList();
    }

    /** {@code NAME=value} of each variable. */
    public static List<String> environment(SlurmConfig config) {
        Map<String, String> variables = config.site().environment();
        variables.putAll(SlurmListing.TIMES);
        return CommandSite.lines(variables);
    }
}
