package org.gelato.ce.core.lrms;

/** Exit codes of jobs as a shell shows them, 128 and the signal for a killed one, from what batch systems show. Pure. */
public final class ExitCodes {
    private static final int HIGHEST = 255;
    private static final int SIGNALLED = 256;
    private static final int LAST_SIGNAL = 64;

    private ExitCodes() {}

    /** Of a job that a signal ended; null where there is no such signal. */
    public static Integer ofSignal(int signal) {
        return signal > 0 && signal <= LAST_SIGNAL ? 128 + signal : null;
    }

    /** Of a job that ended with this code by itself; null where it is none. */
    public static Integer ofCode(int code) {
        return code >= 0 && code <= HIGHEST ? code : null;
    }

    /** Of what Torque shows, and blahpd of it: a code of the job's own, or 256 and the signal; null for anything else. */
    public static Integer ofTorque(int status) {
        return status > SIGNALLED ? ofSignal(status - SIGNALLED) : ofCode(status);
    }
}
