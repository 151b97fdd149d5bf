package org.gelato.ce.core.step;

/**
 * Called by the code at each numbered step. Does nothing, at the cost of one read of a constant, unless the process
 * was started with {@code -Dgelato.test.stop-file=PATH}; then the thread may be stopped there (see {@link StopPoint}).
 */
public final class Steps {
    private static final StopPoint STOP = StopPoint.of(System::getProperty);

    private Steps() {}

    /** @param step null for none, where code that serves several purposes is at a step of only some */
    public static void reached(Step step) {
        if (STOP != null) {
            STOP.reached(step);
        }
    }
}
