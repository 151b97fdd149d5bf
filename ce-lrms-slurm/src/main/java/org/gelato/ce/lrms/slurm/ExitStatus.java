package org.gelato.ce.lrms.slurm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the forms in which Slurm shows how a batch script ended. Pure. */
final class ExitStatus {
    private static final Pattern PAIR = Pattern.compile("([0-9]{1,5}):([0-9]{1,5})");
    private static final Pattern RAW = Pattern.compile("[0-9]{1,9}");

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
            return code <= 255 ? code : null;
        }
        // both at once is one of Slurm's error numbers, which it keeps in the same field when it could not start a job
        return code == 0 && signal <= 64 ? 128 + signal : null;
    }
}
