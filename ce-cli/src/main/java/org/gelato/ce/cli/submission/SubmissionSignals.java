package org.gelato.ce.cli.submission;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.terminal.Signals;
import org.gelato.ce.cli.terminal.Signals.Signal;

/**
 * What becomes of jobs when the user interrupts the command that submits them. While it does, the first signal lets it wait for the response
 * that is under way, which names jobs, and go no further; the second one ends the program and names what it leaves behind. At other times
 * the first one does. Made before the first request, by the thread that sends them.
 */
public final class SubmissionSignals implements AutoCloseable {
    private enum Phase {
        /** No request is under way that makes jobs. */
        NONE,
        SUBMISSION,
        /** Of a submission, what can be broken off. */
        UPLOAD,
        /** There are jobs, and who follows them is about to. */
        HANDING_OVER
    }

    private final CliContext context;
    private final String command;
    private final Thread sender = Thread.currentThread();
    private final Signals.Handling handling;
    private final boolean followed;
    private Consumer<Signal> follower;
    private Supplier<String> leftBehind = () -> "";
    private Runnable leaving = () -> {};
    private Phase phase = Phase.NONE;
    private Signal first;

    /** @param followed whether what comes after the submission is for {@link #handOver} */
    public SubmissionSignals(CliContext context, String command, boolean followed) {
        this.context = context;
        this.command = command;
        this.followed = followed;
        this.handling = context.signals().handle(this::came);
    }

    private synchronized void came(Signal signal) {
        if (follower != null) {
            follower.accept(signal);
            return;
        }
        if (first == null && phase != Phase.NONE) {
            first = signal;
            if (phase == Phase.UPLOAD) {
                sender.interrupt();
            }
            if (phase == Phase.HANDING_OVER) {
                return;
            }
            say("interrupted: waits for the CE's response, which names jobs; once more, and it leaves at once");
            return;
        }
        try {
            String left = leftBehind.get();
            if (!left.isEmpty()) {
                say("left; " + left);
            }
            leaving.run();
        } finally {
            context.signals().leave(signal.exitCode());
        }
    }

    private void say(String text) {
        // Ctrl-C leaves its own letters on the line.
        context.err()
                .println((context.interactive() ? System.lineSeparator() : "") + command + ": " + Printable.line(text));
        context.err().flush();
    }

    /** What is done before the program leaves at once. */
    public synchronized void onLeaving(Runnable last) {
        leaving = last;
    }

    /**
     * Begins to submit.
     *
     * @param left names what is left behind by a program that leaves at once; asked by another thread
     */
    synchronized void begin(Supplier<String> left) {
        leftBehind = left;
        phase = Phase.SUBMISSION;
    }

    /** Ends what {@link #begin} began. */
    synchronized void end() {
        leftBehind = () -> "";
        phase = followed ? Phase.HANDING_OVER : Phase.NONE;
    }

    /** Passes on what comes from now on, and what stopped the submission: it is about its jobs, too. */
    public synchronized void handOver(Consumer<Signal> next) {
        follower = next;
        stopped().ifPresent(next);
    }

    /** Does a part of a submission that may be broken off: by an interrupt of its thread. */
    void breakable(Runnable upload) {
        synchronized (this) {
            phase = first == null ? Phase.UPLOAD : Phase.SUBMISSION;
        }
        try {
            upload.run();
        } finally {
            synchronized (this) {
                phase = Phase.SUBMISSION;
                if (first != null) {
                    // Meant for the upload: what follows must be sent.
                    Thread.interrupted();
                }
            }
        }
    }

    /** The signal after which nothing more is to be submitted. */
    public synchronized Optional<Signal> stopped() {
        return Optional.ofNullable(first);
    }

    @Override
    public void close() {
        handling.close();
    }
}
