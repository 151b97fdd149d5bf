package org.gelato.ce.core.admission;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.command.CommandStore;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.job.ServiceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what {@link #sample()} measured last with the limits, so that asking costs nothing. Sampling runs on a
 * scheduler's thread every few seconds; when the database does not answer a sample, no jobs are admitted until it does.
 * Submission disabled by an admin stands in the database and holds for all nodes and over restarts.
 */
public final class AdmissionController implements Admission {
    private static final Logger log = LoggerFactory.getLogger(AdmissionController.class);
    static final String DISABLED_BY_ADMIN = "SELECT message FROM admission_state WHERE id = 1 AND state = 2";

    private final Database database;
    private final JobStore jobs;
    private final CommandStore commands;
    private final AdmissionLimits limits;
    private volatile State state = new State(false, "the service is starting", "");

    /** One measured value beside its limit. */
    private record Measured(String what, long limit, long value) {
        boolean isOver() {
            return limit >= 0 && value > limit;
        }

        // The wording monitoring probes know from the original's load monitor (contract/behaviour.md section 7).
        String line() {
            return "Threshold for " + what + ": " + limit + " => Detected value for " + what + ": " + value;
        }
    }

    public AdmissionController(Database database, JobStore jobs, CommandStore commands, AdmissionLimits limits) {
        this.database = database;
        this.jobs = jobs;
        this.commands = commands;
        this.limits = limits;
    }

    /** Measures anew. */
    public void sample() {
        try {
            state = database.read(h -> {
                List<String> disabled =
                        h.createQuery(DISABLED_BY_ADMIN).mapTo(String.class).list();
                List<Measured> measured = List.of(
                        new Measured("active jobs", limits.activeJobs(), jobs.countActive(h)),
                        new Measured("pending commands", limits.dueCommands(), commands.countDue(h)),
                        new Measured("file descriptors", limits.openDescriptors(), openDescriptors()));
                return state(measured, disabled);
            });
        } catch (RuntimeException e) {
            log.warn("no sample for admission: {}", e.toString());
            state = new State(false, "database error occurred", state.thresholds());
        }
    }

    private static State state(List<Measured> measured, List<String> disabled) {
        List<String> lines = new ArrayList<>();
        String over = null;
        for (Measured m : measured) {
            lines.add(m.line());
            if (over == null && m.isOver()) {
                over = m.line();
            }
        }
        if (!disabled.isEmpty()) {
            over = disabled.get(0) == null ? "Submissions are disabled!" : disabled.get(0);
        }
        return new State(over == null, over, String.join("\n", lines));
    }

    @Override
    public void admit(Caller caller, int jobsWanted) {
        State now = state;
        if (!now.accepting()) {
            throw new ServiceException.SubmissionDisabled(now.message());
        }
        if (limits.jobsPerCall() >= 0 && jobsWanted > limits.jobsPerCall()) {
            throw new ServiceException.InvalidArgument(
                    jobsWanted + " job descriptions in one call, at most " + limits.jobsPerCall() + " are accepted");
        }
    }

    @Override
    public State state() {
        return state;
    }

    private static long openDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : -1;
    }
}
