package org.gelato.ce.core.command;

/**
 * Names of the lanes of the queue. Each lane has a bound of its own, so that commands that wait for a batch system which
 * hangs leave room for the others. One claim serves lanes in the order of their names: what ends a job before what starts
 * one, purges last.
 */
final class Lane {
    /** Cancel, hold and release; all batch systems share it. */
    static final String CONTROL = "control";

    /** What this version does not know. */
    static final String OTHER = "other";

    /** Removal of sandboxes; calls no batch system. */
    static final String PURGE = "purge";

    private static final String HAND_OVER = "hand-over ";

    private Lane() {}

    /** Starts for one batch system. */
    static String handOver(String lrms) {
        return HAND_OVER + lrms;
    }

    /** The lane of a command that is no start. */
    static String of(CommandKind kind) {
        return switch (kind) {
            case JOB_CANCEL, JOB_SUSPEND, JOB_RESUME -> CONTROL;
            case JOB_PURGE -> PURGE;
            default -> OTHER;
        };
    }

    /** The lane of a command that was claimed. */
    static String of(ClaimedCommand command) {
        return of(command.kind(), command.lrms());
    }

    /** The lane of a command of this kind for a job of this batch system. */
    static String of(CommandKind kind, String lrms) {
        return kind == CommandKind.JOB_START ? handOver(lrms) : of(kind);
    }
}
