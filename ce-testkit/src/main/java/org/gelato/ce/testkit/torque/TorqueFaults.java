package org.gelato.ce.testkit.torque;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What goes wrong when a command of the stand-in is called: from the next call on, until {@link #none}. Calls under way
 * are not touched. Faults add up; a command is slow first, then hung, refusing or down. Thread-safe.
 */
public final class TorqueFaults {
    private final WholeFile file;
    private final Set<String> lines = new LinkedHashSet<>();

    TorqueFaults(Path folder) {
        this.file = new WholeFile(folder.resolve("faults"));
        none();
    }

    /** All is well again. */
    public synchronized void none() {
        lines.clear();
        file.write(lines);
    }

    /** Every command takes so much longer. */
    public void slow(Duration time) {
        add("* slow " + time.toMillis());
    }

    /** A command takes so much longer. */
    public void slow(TorqueProgram program, Duration time) {
        add(program.command() + " slow " + time.toMillis());
    }

    /** No command ever returns, as with a server that hangs. */
    public void hung() {
        add("* hung");
    }

    /** A command never returns; nothing was requested of the server. */
    public void hung(TorqueProgram program) {
        add(program.command() + " hung");
    }

    /**
     * A command does nothing but complain.
     *
     * @param code Torque's error number; the command ends with its low byte
     * @param words printed after the command's name; one line
     */
    public void refusing(TorqueProgram program, int code, String words) {
        add(program.command() + " refusing " + code + " " + oneLine(words));
    }

    /** qstat complains like {@link #refusing} for jobs, and responds for queues. */
    public void jobsRefused(int code, String words) {
        add("qstat refusing-jobs " + code + " " + oneLine(words));
    }

    /** Every command says that nothing answers at the server's address, and ends with 111. */
    public void down() {
        add("* down");
    }

    /** qsub hands the job over and then ends badly without its id. The words are not recorded ones. */
    public void responseLost(int code, String words) {
        add("qsub answer-lost " + code + " " + oneLine(words));
    }

    /** qsub hands the job over and then never returns. */
    public void answerHangs() {
        add("qsub answer-lost hang");
    }

    private synchronized void add(String line) {
        lines.add(line);
        file.write(lines);
    }

    private static String oneLine(String words) {
        if (words.lines().count() > 1) {
            throw new IllegalArgumentException("a fault's words are one line: " + words);
        }
        return words;
    }
}
