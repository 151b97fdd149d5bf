package org.gelato.ce.lrms.slurm;

import java.util.Locale;
import java.util.Set;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;

/** Turns Slurm's word on a job's state into ours. Pure. */
final class SlurmState {
    private static final Set<String> NO_WORDS = Set.of("", "none", "(null)", "n/a", "none assigned", "unknown");

    private SlurmState() {}

    /**
     * @param word as printed: {@code RUNNING}, {@code CANCELLED by 1001}, {@code PENDING,REQUEUED}
     * @param exit as {@link ExitStatus} reads it
     * @return null for a word that is not known
     */
    static LrmsJob job(String id, String tag, String word, String exit, String reason, String nodes) {
        String state = word.strip().toUpperCase(Locale.ROOT);
        int end = 0;
        while (end < state.length() && (Character.isLetter(state.charAt(end)) || state.charAt(end) == '_')) {
            end++;
        }
        state = state.substring(0, end);
        String words = orNull(reason);
        String node = orNull(nodes);
        return switch (state) {
            case "PENDING" ->
                held(words)
                        ? new LrmsJob(id, tag, State.HELD, null, words, node)
                        : new LrmsJob(id, tag, State.QUEUED, null, null, null);
            // nodes are being woken up or given back, no script runs
            case "CONFIGURING", "POWER_UP_NODE", "REQUEUED", "REQUEUE_FED" ->
                new LrmsJob(id, tag, State.QUEUED, null, null, null);
            case "REQUEUE_HOLD", "SPECIAL_EXIT", "SUSPENDED", "STOPPED", "RESV_DEL_HOLD" ->
                new LrmsJob(id, tag, State.HELD, null, words == null ? state : words, node);
            // COMPLETING: how it ended is shown only afterwards
            case "RUNNING", "COMPLETING", "SIGNALING", "RESIZING", "STAGE_OUT", "UPDATE_DB", "EXPEDITING" ->
                new LrmsJob(id, tag, State.RUNNING, null, null, node);
            case "COMPLETED" -> new LrmsJob(id, tag, State.DONE, 0, null, node);
            case "FAILED" -> failed(id, tag, ExitStatus.parse(exit.strip()), words, node);
            case "CANCELLED", "REVOKED" -> new LrmsJob(id, tag, State.CANCELLED, null, words, node);
            case "TIMEOUT",
                    "NODE_FAIL",
                    "OUT_OF_MEMORY",
                    "PREEMPTED",
                    "BOOT_FAIL",
                    "DEADLINE",
                    "LAUNCH_FAILED",
                    "RECONFIG_FAIL" ->
                new LrmsJob(id, tag, State.FAILED, null, words == null ? state : state + ": " + words, node);
            default -> null;
        };
    }

    /** FAILED is both: the script ended with a code of its own, or Slurm could not start it. */
    private static LrmsJob failed(String id, String tag, Integer exit, String words, String node) {
        return exit != null && exit != 0
                ? new LrmsJob(id, tag, State.DONE, exit, null, node)
                : new LrmsJob(id, tag, State.FAILED, null, words == null ? "FAILED" : "FAILED: " + words, node);
    }

    private static boolean held(String reason) {
        return reason != null
                && (reason.startsWith("JobHold")
                        || reason.toLowerCase(Locale.ROOT).contains("held"));
    }

    private static String orNull(String text) {
        String stripped = text.strip();
        return NO_WORDS.contains(stripped.toLowerCase(Locale.ROOT)) ? null : stripped;
    }
}
