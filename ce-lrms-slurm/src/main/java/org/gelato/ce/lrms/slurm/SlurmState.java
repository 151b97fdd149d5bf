package org.gelato.ce.lrms.slurm;

import java.util.Locale;
import java.util.Set;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;

/** Maps Slurm's name of a job's state to ours. Pure. */
final class SlurmState {
    private static final Set<String> NO_REASON = Set.of("", "none", "(null)", "n/a", "none assigned", "unknown");

    private SlurmState() {}

    /**
     * @param word as printed: {@code RUNNING}, {@code CANCELLED by 1001}, {@code PENDING,REQUEUED}
     * @param exit as {@link ExitStatus} reads it
     * @return null for an unknown state
     */
    static LrmsJob job(String id, String tag, String word, String exit, String reason, String nodes) {
        String state = word.strip().toUpperCase(Locale.ROOT);
        int end = 0;
        while (end < state.length() && (Character.isLetter(state.charAt(end)) || state.charAt(end) == '_')) {
            end++;
        }
        state = state.substring(0, end);
        String message = orNull(reason);
        String node = orNull(nodes);
        return switch (state) {
            case "PENDING" ->
                held(message)
                        ? new LrmsJob(id, tag, State.HELD, null, message, null)
                        : new LrmsJob(id, tag, State.QUEUED, null, message, null);
            // nodes are being woken up or given back, no script runs
            case "CONFIGURING", "POWER_UP_NODE", "REQUEUED", "REQUEUE_FED" ->
                new LrmsJob(id, tag, State.QUEUED, null, null, null);
            // in the queue, whatever nodes are still named
            case "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD" ->
                new LrmsJob(id, tag, State.HELD, null, message == null ? state : message, null);
            case "SUSPENDED", "STOPPED" ->
                new LrmsJob(id, tag, State.HELD, null, message == null ? state : message, node);
            // COMPLETING: how it ended is shown only afterwards
            case "RUNNING", "COMPLETING", "SIGNALING", "RESIZING", "STAGE_OUT", "UPDATE_DB", "EXPEDITING" ->
                // a hold that came too late counts when the job is requeued
                new LrmsJob(id, tag, State.RUNNING, null, held(message) ? message : null, node);
            case "COMPLETED" -> new LrmsJob(id, tag, State.DONE, 0, null, node);
            case "FAILED" -> failed(id, tag, ExitStatus.parse(exit.strip()), message, node);
            case "CANCELLED" -> new LrmsJob(id, tag, State.CANCELLED, null, message, node);
            // another cluster of the federation has it: its wrapper may run, and says how it ends
            case "REVOKED" -> new LrmsJob(id, tag, State.UNKNOWN, null, message, null);
            case "TIMEOUT",
                    "NODE_FAIL",
                    "OUT_OF_MEMORY",
                    "PREEMPTED",
                    "BOOT_FAIL",
                    "DEADLINE",
                    "LAUNCH_FAILED",
                    "RECONFIG_FAIL" ->
                new LrmsJob(id, tag, State.FAILED, null, message == null ? state : state + ": " + message, node);
            default -> null;
        };
    }

    /** FAILED is both: the script ended with a code of its own, or Slurm could not start it. */
    private static LrmsJob failed(String id, String tag, Integer exit, String message, String node) {
        return exit != null && exit != 0
                ? new LrmsJob(id, tag, State.DONE, exit, null, node)
                : new LrmsJob(id, tag, State.FAILED, null, message == null ? "FAILED" : "FAILED: " + message, node);
    }

    private static boolean held(String reason) {
        return reason != null
                && (reason.startsWith("JobHold")
                        || reason.toLowerCase(Locale.ROOT).contains("held"));
    }

    private static String orNull(String text) {
        String stripped = text.strip();
        return NO_REASON.contains(stripped.toLowerCase(Locale.ROOT)) ? null : stripped;
    }
}
