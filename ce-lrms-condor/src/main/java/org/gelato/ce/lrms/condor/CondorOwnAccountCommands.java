package org.gelato.ce.lrms.condor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.lrms.command.CommandSite;

/**
 * What {@link CondorLrms} runs as the helper's own account, for the helper's configuration. Where that account is root, the helper runs
 * nothing else. All of it reads. Functions without state.
 */
public final class CondorOwnAccountCommands {
    /** Jobs of ours; a constraint of one word, as the helper's lines have words. */
    static final String OURS = SubmitDescription.TAG + "=!=undefined";

    /** Those whose status changed, with seconds of the epoch behind it. */
    static final String CHANGED = OURS + "&&EnteredCurrentStatus>=";

    private static final String MEMBER = "stringListMember(";

    /** Jobs of the history that are looked at: some 20 seconds. */
    private static final int MAX_HISTORY = 500_000;

    /** The cheapest query that needs a schedd. */
    static final List<String> HEALTH = List.of("-totals");

    /** What the schedd is called that the commands speak with, by configuration; what is not defined is named, too. */
    static final List<String> SCHEDD = List.of("-verbose", "SCHEDD_HOST", "SCHEDD_NAME", "FULL_HOSTNAME");

    /** One line for each node's slot that others are made of, and each fixed one. */
    static final List<String> SLOTS = List.of(
            "-constraint",
            "SlotType=!=\"Dynamic\"",
            "-af:Vt",
            "CondorVersion",
            "TotalSlotCpus",
            "Cpus",
            "State",
            "PartitionableSlot",
            "Offline");

    private CondorOwnAccountCommands() {}

    /** Command lines, arguments separated by one blank; a star at the end of an argument stands for its variable part. */
    public static List<String> lines(CondorConfig config) {
        return Stream.of(
                        words("condor_q", HEALTH),
                        words("condor_status", SLOTS),
                        words("condor_q", queue(OURS)),
                        words("condor_q", queue(CHANGED + "*")),
                        words("condor_q", queue(MEMBER + "*")),
                        words("condor_history", history(MEMBER + "*")))
                .map(words -> config.commands().binDirectory() + "/" + words)
                .toList();
    }

    /** The line for {@link #SCHEDD}, which a CE can do without. */
    static String schedd(CondorConfig config) {
        return config.commands().binDirectory() + "/" + words("condor_config_val", SCHEDD);
    }

    private static String words(String program, List<String> arguments) {
        return program + " " + String.join(" ", arguments);
    }

    /** {@code NAME=value} of each variable. */
    public static List<String> environment(CondorConfig config) {
        return CommandSite.lines(config.site().environment());
    }

    /** condor_q's arguments for jobs of anybody. */
    static List<String> queue(String constraint) {
        return concat(List.of("-all", "-nobatch", "-constraint", constraint), JobAd.arguments());
    }

    /**
     * condor_history's arguments. It reads from what left the queue last; no time bounds it: who leaves a job in the queue long after its end,
     * or sets its attributes, would end the search for everybody's.
     */
    static List<String> history(String constraint) {
        return concat(
                List.of("-scanlimit", Integer.toString(MAX_HISTORY), "-constraint", constraint), JobAd.arguments());
    }

    /** A constraint for jobs that have one of these for what an expression says. */
    static String oneOf(String expression, Iterable<String> values) {
        return MEMBER + expression + ",\"" + String.join(",", values) + "\")";
    }

    private static List<String> concat(List<String> some, List<String> others) {
        List<String> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }
}
