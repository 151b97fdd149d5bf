package org.gelato.ce.lrms.torque;

import java.util.Locale;
import org.gelato.ce.core.lrms.SubmitResult.Scope;

/**
 * Exit codes of Torque's commands: the server's error code, of which the low byte is left (15001 is 153), or the number
 * of a system error (docs/developer/protocol/lrms.md). Pure.
 */
final class ServerCode {
    static final int UNKNOWN_JOB = 153;
    static final int BAD_STATE = 170;
    /** What qrls ends with for a job that is not held. */
    static final int NOT_HELD = 53;

    /** What a code reports about a request. */
    enum Verdict {
        /** The server refused, and will refuse again. */
        REFUSED,
        /** The same, as what the job requests is not there: it may be another time. */
        REFUSED_NOW,
        /** Certainly without effect, but may succeed later. */
        NOT_NOW,
        /** The request may or may not have had its effect. */
        UNKNOWN
    }

    private ServerCode() {}

    /** Of a qsub that did not end with 0. */
    static Verdict ofSubmission(int exit) {
        return switch (exit) {
            // invalid option or directive; read-only, unknown or misplaced attribute; not permitted; no such value
            case 2, 154, 155, 156, 159, 168, 180, 183, 186 -> Verdict.REFUSED;
            // no access to the queue; unknown user; unknown resource; over a limit; no default queue; no route
            case 176, 177, 189, 190, 191, 193 -> Verdict.REFUSED;
            // invalid script, group, limit of executions, account
            case 196, 199, 202, 203 -> Verdict.REFUSED;
            case 198 -> Verdict.REFUSED_NOW;
            // queue not there (an administrator may make it again), disabled, busy, not enabled, full; credential not
            // taken or expired
            case 172, 175, 181, 184, 200, 173, 174 -> Verdict.NOT_NOW;
            default -> notReached(exit) ? Verdict.NOT_NOW : Verdict.UNKNOWN;
        };
    }

    /**
     * Whose other jobs the server would not take now either.
     *
     * @param message of qsub: a queue has a limit for all and one for each user, under one code
     */
    static Scope scope(int exit, String message) {
        return switch (exit) {
            case 172, 175, 181, 184 -> Scope.QUEUE;
            case 200 -> message.toLowerCase(Locale.ROOT).contains("user's jobs") ? Scope.ACCOUNT_IN_QUEUE : Scope.QUEUE;
            case 173, 174 -> Scope.ACCOUNT;
            default -> Scope.LRMS;
        };
    }

    /** Whether the request certainly never reached a server. */
    static boolean notReached(int exit) {
        return switch (exit) {
            // trqauthd or server not there, host or server name unknown, no connections left, no server
            case 33, 111, 162, 187, 188 -> true;
            // network or host unreachable; the command itself could not be run
            case 101, 113, 126, 127 -> true;
            default -> false;
        };
    }

    /** Whether a command that acts on a job got no result for it and is to be repeated. */
    static boolean noVerdict(int exit) {
        return switch (exit) {
            // connection reset or timed out, broken pipe; an error of the server itself
            case 104, 110, 32, 164, 165, 185 -> true;
            default -> notReached(exit) || killed(exit);
        };
    }

    /** Whether the command was ended by a signal; from 153 on these are the server's codes. */
    static boolean killed(int exit) {
        return exit > 128 && exit < UNKNOWN_JOB;
    }
}
