package org.gelato.ce.cli.soap;

import java.time.Duration;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.ServiceFault;

/**
 * Repeats a call when its response was lost or the CE was unreachable. Only for calls whose repetition does no more than
 * the call. Tries and pauses are bounded.
 */
final class Repetition {
    /** Tries of a call in all, the first included. */
    static final int TRIES = 5;

    /** Tries in all after errors of the CE, each of which may take as long as the CE waits for its database. */
    static final int TRIES_AFTER_ERRORS = 3;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    /** What refuses a call for a reason of its own has another name. */
    private static final String ERROR = "GenericFault";

    private final CliContext.Pause pause;

    Repetition(CliContext.Pause pause) {
        this.pause = pause;
    }

    /**
     * @param call receives the number of the try, from 1 on
     * @throws ConnectionFailure of the last try
     */
    <T> T of(IntFunction<T> call) {
        return of(e -> e instanceof ConnectionFailure ? TRIES : 1, call);
    }

    /**
     * For calls with a key. They are made again after an error of the CE too, such as a database that went away: it may have
     * come after the work was done, and only the key finds that.
     *
     * @throws CliException of the last try
     */
    <T> T ofKeyed(IntFunction<T> call) {
        return of(
                e -> {
                    if (e instanceof ServiceFault f && ERROR.equals(f.fault().kind())) {
                        return TRIES_AFTER_ERRORS;
                    }
                    return e instanceof ConnectionFailure ? TRIES : 1;
                },
                call);
    }

    private <T> T of(ToIntFunction<CliException> tries, IntFunction<T> call) {
        Duration time = FIRST_PAUSE;
        boolean mayHaveArrived = false;
        for (int attempt = 1; ; attempt++) {
            try {
                return call.apply(attempt);
            } catch (CliException e) {
                // One try that may have been carried out is enough, however the last one failed.
                mayHaveArrived |= e instanceof ConnectionFailure f && f.mayHaveArrived();
                if (attempt >= tries.applyAsInt(e)) {
                    throw mayHaveArrived && e instanceof ConnectionFailure f && !f.mayHaveArrived()
                            ? new ConnectionFailure(e.getMessage(), e)
                            : e;
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
