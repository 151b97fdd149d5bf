package org.gelato.ce.core;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * How long tests of all modules wait for what must come: so long that no shared machine, however little of it is left to
 * us, makes it too short. Waiting ends when the condition holds, so a test that passes pays nothing for it.
 *
 * <p>Found by the launcher as a service; nothing has to name it.
 */
public final class Patience implements TestExecutionListener {
    /** The longest wait of a test that gives none of its own. */
    public static final Duration DEFAULT = Duration.ofMinutes(4);

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        Awaitility.setDefaultTimeout(DEFAULT);
    }
}
