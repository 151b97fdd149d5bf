package org.gelato.ce.core.service;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.gelato.ce.core.base.CallBudget;
import org.gelato.ce.core.base.ExpansionBudget;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobStore;
import org.gelato.ce.core.route.RoutedJob;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.TransferPrograms;
import org.gelato.ce.json.RouteSettings;

/**
 * Reads the descriptions of a call, each once whatever its instances, and lets each go before the next: of each stays what its
 * registration needs. What they expand to meanwhile, and what their jobs take until the call ends, is taken from one
 * budget. Thread-safe.
 */
public final class DescriptionChecks {
    private static final int MAX_GRID_JOB_ID = 2048;
    /** A job that waits for its time is among those that wait for the batch system. */
    private static final Duration LATEST_START = Duration.ofDays(30);

    /** Of the column that holds them. */
    private static final int MAX_WARNINGS = 512;
    /** What a job takes on its way to the database and in the response. */
    private static final int CHARACTERS_OF_JOB = 256;

    private final Queues queues;
    private final RuntimeEnvironments environments;
    private final TransferPrograms programs;
    private final ExpansionBudget expansions;
    private final Supplier<Routes> routes;
    private final Clock clock;

    /**
     * @param queues where jobs may go
     * @param environments that jobs may want; a job that needs another is refused
     * @param programs that transfer files of jobs; a job that needs another is refused
     * @param expansions memory for what descriptions expand to
     * @param routes of the site
     */
    public DescriptionChecks(
            Queues queues,
            RuntimeEnvironments environments,
            TransferPrograms programs,
            ExpansionBudget expansions,
            Supplier<Routes> routes,
            Clock clock) {
        this.clock = clock;
        this.routes = routes;
        this.queues = queues;
        this.environments = environments;
        this.programs = programs;
        this.expansions = expansions;
    }

    /** What the descriptions of one call may take; closed with the call. */
    CallBudget budget(Caller caller) {
        return expansions.call(caller.identity().subject());
    }

    /**
     * What is kept of an accepted description.
     *
     * @param uploads whether its client uploads files
     * @param delegation that the description names; null where it names none
     * @param wallTime null when none is requested, and none is the default
     * @param gridJobId null for none
     * @param warnings what its owner should know of what becomes of it; null for nothing
     * @param labels what its owner finds it by
     * @param settings what the site's routes give it
     */
    record Accepted(
            Queues.Target target,
            boolean uploads,
            String delegation,
            Duration wallTime,
            String gridJobId,
            String warnings,
            JobLabels labels,
            RouteSettings settings) {}

    /**
     * Takes memory for the jobs of a call, before there is anything of them.
     *
     * @throws org.gelato.ce.core.fault.ServiceException TOO_LARGE when no call may have so many
     * @throws org.gelato.ce.core.fault.ServiceException SUBMISSION_DISABLED when there is no memory for them now
     */
    void begin(RegisterRequest call, CallBudget budget) {
        budget.keep(call.jobs() * CHARACTERS_OF_JOB);
    }

    /**
     * Reads one description of a call, and lets it go.
     *
     * @throws DescriptionException when it is refused
     * @throws org.gelato.ce.core.fault.ServiceException TOO_LARGE when no call may have so much
     * @throws org.gelato.ce.core.fault.ServiceException SUBMISSION_DISABLED when there is no memory for it now
     */
    Accepted read(Caller caller, JobDescription description, RegisterRequest call, CallBudget budget)
            throws DescriptionException {
        budget.keep((call.instances() - 1L) * description.text().length());
        try {
            JobRequest request =
                    programs.check(environments.check(description.language().read(description.text(), budget)));
            Instant start = request.session().start();
            if (start != null && start.isAfter(clock.instant().plus(LATEST_START))) {
                throw new DescriptionException(
                        "start time",
                        start + " is more than " + LATEST_START.toDays() + " days from now, " + clock.instant());
            }
            String gridJobId = request.origin().gridJobId();
            if (gridJobId != null && gridJobId.length() > MAX_GRID_JOB_ID) {
                throw new DescriptionException(
                        "edg_jobid", gridJobId.length() + " characters, at most " + MAX_GRID_JOB_ID);
            }
            Queues.Target target = queues.of(request, call.queue());
            RouteSettings settings = RouteSettings.NONE;
            JobRequest.Resources resources = request.resources();
            Routes present = routes.get();
            if (!present.routes().isEmpty()) {
                Routes.Resolved routed = present.resolve(new RoutedJob(
                        caller.identity(), caller.account(), target.queue(), resources, request.labels()));
                settings = routed.settings();
                resources = Routes.withDefaults(resources, settings);
                routed.check(resources);
                environments.check(Routes.withEnvironment(request, settings)); // that they exist
            }
            return new Accepted(
                    target,
                    !request.files().uploads().isEmpty(),
                    request.session().delegationId(),
                    resources.limits().wallTime(),
                    gridJobId,
                    warnings(request, target),
                    request.labels(),
                    settings);
        } catch (DescriptionException e) {
            budget.keep(e.getMessage().length());
            throw e;
        } finally {
            budget.release();
        }
    }

    private static String warnings(JobRequest request, Queues.Target target) {
        List<String> warnings = new ArrayList<>(request.warnings());
        target.batchSystem().options().warning(request).ifPresent(warnings::add);
        return warnings.isEmpty() ? null : JobStore.cut(String.join("; ", warnings), MAX_WARNINGS);
    }
}
