package org.gelato.ce.cli.soap;

import java.time.Duration;
import java.util.function.IntFunction;
import org.gelato.ce.cli.CliContext;
import org.gelato.ce.cli.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;

/**
 * Makes a call again when its answer was lost or the CE was not there. Only for calls whose repetition does no more than
 * the call. Tries and pauses are bounded.
 */
final class Repetition {
    /** Tries in all. */
    static final int TRIES = 5;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private final CliContext.Pause pause;

    Repetition(CliContext.Pause pause) {
        this.pause = pause;
    }

    /**
     * @param call told which try this is, from 1 on
     * @throws ConnectionFailure of the last try
     */
    <T> T of(IntFunction<T> call) {
        Duration time = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            try {
                return call.apply(attempt);
            } catch (ConnectionFailure e) {
                if (attempt == TRIES) {
                    throw e;
                }
                sleep(time);
                time = time.multipliedBy(2);
            }
        }
    }

    private void sleep(Duration time) {
        try {
            pause.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException("interrupted", e);
        }
    }
}
