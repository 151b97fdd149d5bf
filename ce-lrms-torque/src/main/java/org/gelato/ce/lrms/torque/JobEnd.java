package org.gelato.ce.lrms.torque;

import org.gelato.ce.core.lrms.ExitCodes;
import org.gelato.ce.core.lrms.LrmsJob.State;

/**
 * What Torque's exit status reports about the end of a job: its own code, 256 and the signal that ended it, or a negative
 * number for what pbs_mom did or could not do. Pure.
 *
 * @param exitCode in the shell's way, 128 and the signal; null when the job's own is not known
 * @param reason null when there is none
 */
record JobEnd(State state, Integer exitCode, String reason) {
    private static final int SIGNALLED = 256;

    /**
     * SIGTERM (271) is what a deleted job ends with, and what comes from elsewhere too: who sent it is known of a deletion's
     * record, or of a requested cancel, alone.
     */
    static JobEnd of(int status) {
        if (status < 0) {
            return new JobEnd(State.FAILED, null, message(status) + " (exit status " + status + ")");
        }
        Integer code = ExitCodes.ofTorque(status);
        if (code == null) {
            return new JobEnd(State.DONE, null, "exit status " + status);
        }
        return new JobEnd(State.DONE, code, status > SIGNALLED ? "ended by signal " + (status - SIGNALLED) : null);
    }

    private static String message(int status) {
        return switch (status) {
            case -1, -2 -> "the node could not start the job";
            case -3 -> "the node could not start the job now";
            case -4, -5, -6 -> "the node's pbs_mom was started again";
            case -7 -> "the job's checkpoint could not be used";
            case -8 -> "the job's shell could not be run";
            case -9 -> "the job's output could not be opened";
            case -10 -> "memory limit exceeded";
            case -11 -> "wall time limit exceeded";
            case -12 -> "CPU time limit exceeded";
            default -> "the node ended the job";
        };
    }
}
