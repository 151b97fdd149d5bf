package org.gelato.ce.core.step;

import java.util.Collection;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Called by the code at each numbered step. Does nothing, at the cost of reads of two constants, unless the process was started
 * with {@code -Dgelato.test.stop-file=PATH}; then the thread may be stopped there (see {@link StopPoint}). With
 * {@code -Dgelato.test.trace-file=PATH} steps are recorded, to be compared with the model (docs/developer/model.md, {@link StepTrace}).
 */
public final class Steps {
    private static final StopPoint STOP = StopPoint.of(System::getProperty);
    private static final StepTrace TRACE = StepTrace.of(System::getProperty);

    private Steps() {}

    /** A step of no job: of a delegation, or of jobs that have no rows yet. */
    public static void reached(Step step) {
        reached(step, List.of(), none -> 0);
    }

    /** A step of one job, which is named by its row. */
    public static void reached(Step step, int job) {
        if (TRACE != null) {
            TRACE.reached(step, List.of(job), row -> row);
        }
        if (STOP != null) {
            STOP.reached(step);
        }
    }

    /**
     * A step of several jobs at once.
     *
     * @param step null for none, where code that serves several purposes is at a step of only some
     * @param of what is at the step
     * @param job row of each one's job
     */
    public static <T> void reached(Step step, Collection<T> of, ToIntFunction<? super T> job) {
        if (TRACE != null && step != null) {
            TRACE.reached(step, of, job);
        }
        if (STOP != null) {
            STOP.reached(step);
        }
    }
}
