package org.gelato.ce.cli.terminal;

/** The exit codes of every command. */
public final class ExitCode {
    public static final int OK = 0;
    /** The command was understood and failed, wholly or for one of its jobs. */
    public static final int FAILED = 1;
    /** The command line was wrong; nothing was sent. */
    public static final int USAGE = 2;
    /** Nothing failed, but a job has not ended yet, so that there is more to come. */
    public static final int NOT_ENDED = 3;

    /** Instead of the exit code of a job's program, where no program ran to its end. */
    public static final int NO_PROGRAM = 125;

    /** The most that a process can have. */
    public static final int MAX_CODE = 255;

    private ExitCode() {}
}
