package org.gelato.ce.cli.http;

import java.time.Duration;
import java.util.function.IntFunction;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;

/**
 * Repeats a call when its response was lost, the CE failed within it, or was unreachable. Only for calls whose repetition does no more than
 * the call. Tries and pauses are bounded.
 */
public final class Repetition {
    /** Tries of a call in all, the first included. */
    public static final int TRIES = 5;

    /** Tries in all after errors of the CE, each of which may take as long as the CE waits for its database. */
    static final int TRIES_AFTER_ERRORS = 3;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private final CliContext.Pause pause;

    /** @param pause waits between tries */
    public Repetition(CliContext.Pause pause) {
        this.pause = pause;
    }

    /**
     * Makes a call until it succeeds, is refused, or has failed too often.
     *
     * @param tries after lost responses in all, the first included
     * @param call receives the number of the try, from 1 on
     * @throws CliException of the last try; one that {@link CliException#mayHaveBeenDone} when that is so of any
     */
    public <T> T of(int tries, IntFunction<T> call) {
        Duration time = FIRST_PAUSE;
        boolean mayHaveBeenDone = false;
        for (int attempt = 1; ; attempt++) {
            try {
                return call.apply(attempt);
            } catch (CliException e) {
                // One try that may have been carried out is enough, however the last one failed.
                mayHaveBeenDone |= e.mayHaveBeenDone();
                CliException failure =
                        mayHaveBeenDone == e.mayHaveBeenDone() ? e : new ConnectionFailure(e.getMessage(), e);
                if (attempt >= tries(tries, e)) {
                    throw failure;
                }
                sleep(time, failure);
                time = time.multipliedBy(2);
            }
        }
    }

    private static int tries(int tries, CliException e) {
        if (e instanceof ConnectionFailure) {
            return tries;
        }
        return e.mayHaveBeenDone() ? TRIES_AFTER_ERRORS : 1;
    }

    private void sleep(Duration time, CliException failure) {
        try {
            pause.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure;
        }
    }
}
