package org.gelato.ce.cli.submission;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.terminal.Signals.Signal;
import org.gelato.ce.cli.wire.JobUrl;

/**
 * What becomes of a job when the user interrupts the command that follows it. The first signal interrupts the thread that made this; the
 * second one ends the program, and so does the end of the terminal: the job goes on, for a user who comes back.
 */
final class Interruption {
    private final CliContext context;
    private final String command;
    private final JobUrl job;
    private final Thread follower = Thread.currentThread();
    private Signal first;
    private boolean seen;
    private boolean cancelling;

    Interruption(CliContext context, String command, JobUrl job) {
        this.context = context;
        this.command = command;
        this.job = job;
    }

    /** Receives a signal. */
    synchronized void came(Signal signal) {
        if (first == null && signal != Signal.HUP) {
            first = signal;
            follower.interrupt();
            return;
        }
        context.err()
                .println(System.lineSeparator() + command + ": left; "
                        + (cancelling
                                ? job + " is being cancelled: ce status " + job + " shows when it is"
                                : job + " goes on: ce cancel " + job + " cancels it"));
        context.err().flush();
        try {
            context.out().flush();
        } finally {
            context.signals().leave(signal.exitCode());
        }
    }

    /** The context whose pauses see a signal, too: the HTTP client of Java 17 swallows an interrupt while it reads a response. */
    CliContext noticedBy(CliContext whole) {
        return new CliContext(
                whole.streams(),
                whole.environment(),
                whole.workingDirectory(),
                whole.clock(),
                time -> {
                    if (isPending()) {
                        throw new InterruptedException();
                    }
                    whole.pause().sleep(time);
                },
                whole.connector(),
                whole.signals());
    }

    /** Whether a signal came that nobody has looked at yet. */
    synchronized boolean isPending() {
        return first != null && !seen;
    }

    /** Looks at the signal: whether it means that the job is to be cancelled. Asks where somebody sits who can answer. */
    boolean wantsCancel() {
        boolean ask;
        synchronized (this) {
            seen = true;
            ask = first == Signal.INT && context.interactive();
        }
        // A thread that is interrupted could not read the answer, nor send the cancel.
        Thread.interrupted();
        boolean cancel = !ask || isYes();
        synchronized (this) {
            cancelling = cancel;
        }
        return cancel;
    }

    private boolean isYes() {
        context.err().print(System.lineSeparator() + "Cancel " + job + "? [Y/n] ");
        context.err().flush();
        try {
            String answer = new BufferedReader(new InputStreamReader(context.in(), StandardCharsets.UTF_8)).readLine();
            return answer == null || !answer.strip().toLowerCase(Locale.ROOT).startsWith("n");
        } catch (IOException e) {
            return true;
        }
    }

    /** The exit code of a command whose job was cancelled because of the signal. */
    synchronized int exitCode() {
        return first.exitCode();
    }

    synchronized boolean isCancelling() {
        return cancelling;
    }
}
