package org.gelato.ce.lrms.slurm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.ExitCodes;

/** Reads the forms in which Slurm shows how a batch script ended. Pure. */
final class ExitStatus {
    private static final Pattern PAIR = Pattern.compile("([0-9]{1,5}):([0-9]{1,5})");
    private static final Pattern RAW = Pattern.compile("[0-9]{1,9}");

    private static final int LAST_USUAL_SIGNAL = 31;

    private ExitStatus() {}

    /**
     * @param text {@code code:signal} (scontrol, sacct, job completion log) or the number of wait(2) (squeue)
     * @return the exit code, 128 + signal for a killed script, null where Slurm noted a failure of its own or nothing
     */
    static Integer parse(String text) {
        Matcher pair = PAIR.matcher(text);
        if (pair.matches()) {
            int code = Integer.parseInt(pair.group(1));
            int signal = Integer.parseInt(pair.group(2));
            return of(code, signal);
        }
        if (RAW.matcher(text).matches()) {
            int raw = Integer.parseInt(text);
            return of(raw >> 8, raw & 0x7f);
        }
        return null;
    }

    private static Integer of(int code, int signal) {
        if (signal == 0) {
            return ExitCodes.ofCode(code);
        }
        // A job that it could not start has one of Slurm's error numbers, 4000 and more, in the same field. As a number
        // of
        // wait(2) it is a code and a signal at once; the pairs leave the code out: 4021 is 0:53. No usual signal is so
        // high.
        return code == 0 && signal <= LAST_USUAL_SIGNAL ? ExitCodes.ofSignal(signal) : null;
    }
}
