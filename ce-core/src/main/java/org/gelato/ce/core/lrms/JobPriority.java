package org.gelato.ce.core.lrms;

import org.gelato.ce.description.JobRequest.Resources;

/** A job's priority in the terms of Slurm, which two adapters serve. Pure. */
public final class JobPriority {
    /** What Slurm takes off its own number for each step below the usual priority. */
    private static final int NICE = 100;

    private JobPriority() {}

    /** Users can only lower their priority; null for none. */
    public static Integer nice(Resources resources) {
        int above = resources.abovePriority();
        return above < 0 ? above * -NICE : null;
    }
}
