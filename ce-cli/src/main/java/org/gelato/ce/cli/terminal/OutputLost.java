package org.gelato.ce.cli.terminal;

/**
 * Standard output takes no more: who read it has gone, or its file system is full. An error and no exception, so that it ends every
 * command: each may tidy up, and none goes on with results that nobody gets.
 */
public final class OutputLost extends Error {
    /** As a shell reports a program that SIGPIPE ended. */
    static final int SIGPIPE = 141;

    private static final long serialVersionUID = 1L;

    private final boolean closed;

    /** @param closed whether the reader has gone, which is no mistake and is not reported */
    OutputLost(Throwable cause, boolean closed) {
        super("standard output can't be written: " + FileTrouble.reason(cause), cause);
        this.closed = closed;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Of the command that it ends. */
    public int exitCode() {
        return closed ? SIGPIPE : ExitCode.FAILED;
    }
}
