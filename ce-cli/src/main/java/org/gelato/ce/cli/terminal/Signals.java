package org.gelato.ce.cli.terminal;

import java.util.function.Consumer;

/** What a user or an administrator sends to a command that runs. */
public interface Signals {
    /** Of a command inside another program, which has its own. */
    Signals NONE = new Signals() {
        @Override
        public Handling handle(Consumer<Signal> handler) {
            return () -> {};
        }

        /** Only a handler leaves, and none is ever called here. */
        @Override
        public void leave(int exitCode) {
            throw new IllegalStateException("a command inside another program ended it with status " + exitCode);
        }
    };

    /** Those that end a command which does nothing about them. */
    enum Signal {
        /** The terminal has gone. */
        HUP(129),
        /** Ctrl-C. */
        INT(130),
        TERM(143);

        private final int exitCode;

        Signal(int exitCode) {
            this.exitCode = exitCode;
        }

        /** As a shell reports a program that was ended so. */
        public int exitCode() {
            return exitCode;
        }
    }

    /**
     * Takes signals until the result is closed, one at a time.
     *
     * @param handler called in a thread of its own
     */
    Handling handle(Consumer<Signal> handler);

    /** Ends the program at once. */
    void leave(int exitCode);

    /** What ends with its closing. */
    interface Handling extends AutoCloseable {
        @Override
        void close();
    }
}
