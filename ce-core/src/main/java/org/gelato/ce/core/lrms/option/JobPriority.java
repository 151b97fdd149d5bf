package org.gelato.ce.core.lrms.option;

import org.gelato.ce.description.JobRequest.Resources;

/** A job's priority in batch systems' terms; nothing for the usual one. Pure. */
public final class JobPriority {
    /** What Slurm takes off its own number for each step below the usual priority. */
    private static final int NICE = 100;
    /** Steps of Torque's range from -1024 to 1023. */
    private static final int TORQUE = 20;

    private JobPriority() {}

    /** For Slurm, where users can only lower their priority; null for none. */
    public static Integer nice(Resources resources) {
        int below = -distance(resources);
        return below > 0 ? below * NICE : null;
    }

    /** For Torque; null for none. */
    public static Integer torque(Resources resources) {
        int distance = distance(resources);
        return distance == 0 ? null : distance * TORQUE;
    }

    private static int distance(Resources resources) {
        return resources.priority() == null ? 0 : resources.priority() - Resources.USUAL_PRIORITY;
    }
}
