package org.gelato.ce.core.admission;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
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
    private static final String ACTIVE = "Number of active jobs";
    private static final String PENDING = "Number of pending commands";
    private static final int ENABLED = 0;
    private static final int DISABLED = 2;
    private static final String ADMINS_ONLY = "Operation reserved only to administrator!";
    static final String OPEN = "UPDATE admission_state SET state = :state, message = NULL, changed_by = :dn,"
            + " changed_at = UTC_TIMESTAMP(6) WHERE id = 1";
    static final String DISABLED_BY_ADMIN = "SELECT message FROM admission_state WHERE id = 1 AND state = 2";

    private final Database database;
    private final JobStore jobs;
    private final CommandStore commands;
    private final AdmissionLimits limits;
    private final HostReadings host = new HostReadings(Path.of("/proc"));
    private volatile State state = new State(false, "the service is starting", "");

    public AdmissionController(Database database, JobStore jobs, CommandStore commands, AdmissionLimits limits) {
        this.database = database;
        this.jobs = jobs;
        this.commands = commands;
        this.limits = limits;
    }

    /** Measures anew; one at a time, so that what an administrator just decided is not overwritten by an older look. */
    public synchronized void sample() {
        try {
            List<Measured> measured = new ArrayList<>(host.beforeDescriptors());
            measured.add(Measured.count("tomcat FD", "Tomcat FD", limits.openDescriptors(), openDescriptors()));
            measured.add(host.ftpConnections());
            state = database.read(h -> {
                List<String> disabled =
                        h.createQuery(DISABLED_BY_ADMIN).mapTo(String.class).list();
                measured.add(Measured.count(ACTIVE, limits.activeJobs(), jobs.countActive(h)));
                measured.add(Measured.count(PENDING, limits.dueCommands(), commands.countDue(h)));
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
            if (over == null && m.over()) {
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
    public void open(Caller caller, boolean accepting) {
        if (!caller.admin()) {
            throw new ServiceException.NotAuthorized(ADMINS_ONLY, ADMINS_ONLY);
        }
        database.inTransaction(h -> h.createUpdate(OPEN)
                .bind("state", accepting ? ENABLED : DISABLED)
                .bind("dn", JobStore.cut(caller.identity().dn(), 2048))
                .execute());
        log.warn(
                "submission {} by {}",
                accepting ? "enabled" : "disabled",
                caller.identity().dn());
        sample();
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
