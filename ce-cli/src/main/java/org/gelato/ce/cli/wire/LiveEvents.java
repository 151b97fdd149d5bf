package org.gelato.ce.cli.wire;

import org.gelato.ce.cli.terminal.CliException;

/** Events of the user's jobs as they happen, over one connection. Used by one thread. */
public interface LiveEvents extends AutoCloseable {
    /**
     * Waits for the next event.
     *
     * @return null when the CE ended the connection, as it does from time to time: open another one after the last event
     * @throws ConnectionFailure when the connection broke, or the CE gave no sign of life for long
     */
    EventReport next() throws InterruptedException;

    /** Which database the events come from; null before the first sign of life. */
    String dbId();

    @Override
    void close();

    /** The CE has another database since the cursor: its events begin anew. */
    final class Restarted extends CliException {
        private static final long serialVersionUID = 1L;

        public Restarted(String message) {
            super(message);
        }
    }
}
