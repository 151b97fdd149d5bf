package org.gelato.ce.core.fault;

import java.time.Clock;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that is repeated whatever it throws. An executor never again runs repeated work that threw something, and nothing shows
 * that; hostile input makes parsers overflow their stack, and a CE that lacks memory or a class throws errors, too. What it throws
 * is counted, and is in the log when it begins, once an hour, and when it is over. Not to be run by two threads at once.
 */
public final class Repeated implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(Repeated.class);
    private static final LongAdder FAILURES = new LongAdder();

    private final Runnable work;
    private final RepeatedFault fault;

    private Repeated(String what, Runnable work) {
        this.work = work;
        this.fault = new RepeatedFault(log, Clock.systemUTC(), what);
    }

    /** @param what is repeated, as the beginning of a line of the log */
    public static Repeated of(String what, Runnable work) {
        return new Repeated(what, work);
    }

    /** Turns that failed since this process began. */
    public static long failures() {
        return FAILURES.sum();
    }

    @Override
    public void run() {
        try {
            work.run();
            fault.over();
        } catch (RuntimeException | Error e) {
            FAILURES.increment();
            report(e);
        }
    }

    private void report(Throwable thrown) {
        try {
            fault.failed(Messages.of(thrown), thrown);
        } catch (RuntimeException | Error e) {
            // Where there is no memory for the work there may be none for a line about it; the number has it.
            FAILURES.increment();
        }
    }
}
