package org.gelato.ce.ws.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.SiteJobs;
import org.gelato.ce.json.SiteJob;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.Parameters;

/**
 * {@code GET /ce-cream/admin/jobs}: a page of the jobs of all users, oldest first, as {@code {"jobs": [...], "next": n}}.
 * Parameters, all optional and all to hold: {@code dn}, {@code vo}, {@code account}, {@code queue}, {@code state} (repeated: any of
 * them), {@code before} (registered before, ISO 8601), {@code batch} (id in the batch system, or its part before the first dot), {@code at} (ISO
 * 8601, between registration and end); {@code after}, the {@code next} of the page before. With {@code job} alone, the job of that id.
 */
final class JobsServlet extends AdminServlet {
    private static final long serialVersionUID = 1L;

    /** The database knows no later times. */
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private static final Pattern AFTER = Pattern.compile("[0-9]{1,9}");

    private final transient SiteJobs jobs;
    private final transient Consumer<String> requested;
    private final transient Predicate<HttpServletRequest> open;

    /**
     * @param requested gets the criteria of each request, once for all its pages
     * @param open who may see the jobs of all users without being an administrator
     */
    JobsServlet(CallerResolver callers, SiteJobs jobs, Consumer<String> requested, Predicate<HttpServletRequest> open) {
        super(callers, "the jobs of all users");
        this.open = open;
        this.jobs = jobs;
        this.requested = requested;
    }

    @Override
    boolean isOpenTo(HttpServletRequest request) {
        return open.test(request);
    }

    @Override
    Object answer(HttpServletRequest request) {
        String job = Parameters.single(request, "job");
        if (job != null) {
            JobId id = JobId.parse(job)
                    .orElseThrow(() -> new IllegalArgumentException("parameter job is no id such as CREAM123456789"));
            SiteJob.Page found = new SiteJob.Page(jobs.job(id).stream().toList(), null);
            requested(request, "job=" + id);
            return found;
        }
        String dn = Parameters.single(request, "dn");
        SiteJobs.Filter filter = new SiteJobs.Filter(
                dn == null || TokenIdentity.isSubject(dn) ? dn : DnForms.rfc2253(dn),
                Parameters.single(request, "vo"),
                Parameters.single(request, "account"),
                states(request.getParameterValues("state")),
                Parameters.single(request, "queue"),
                time("before", Parameters.single(request, "before")),
                Parameters.single(request, "batch"),
                time("at", Parameters.single(request, "at")));
        int after = after(Parameters.single(request, "after"));
        SiteJob.Page page = jobs.page(filter, after);
        if (after == 0) {
            requested(request, criteria(filter));
        }
        return page;
    }

    /** Who is trusted on this host and gives no name may see the jobs, and write no audit log: it would fill it. */
    private void requested(HttpServletRequest request, String criteria) {
        if (!isAnonymous(request)) {
            requested.accept(criteria);
        }
    }

    private static String criteria(SiteJobs.Filter filter) {
        List<String> criteria = new ArrayList<>();
        add(criteria, "dn", filter.dn());
        add(criteria, "vo", filter.vo());
        add(criteria, "account", filter.account());
        filter.states().forEach(state -> add(criteria, "state", state.wireName()));
        add(criteria, "queue", filter.queue());
        add(criteria, "before", filter.registeredBefore());
        add(criteria, "batch", filter.lrmsId());
        add(criteria, "at", filter.at());
        return criteria.isEmpty() ? "all jobs" : String.join(" ", criteria);
    }

    private static void add(List<String> criteria, String name, Object value) {
        if (value != null) {
            criteria.add(name + "=" + value);
        }
    }

    private static Set<JobState> states(String[] names) {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        for (String name : names == null ? new String[0] : names) {
            states.add(JobState.ofWireName(name)
                    .orElseThrow(() -> new IllegalArgumentException("parameter state is none of "
                            + String.join(
                                    ", ",
                                    Arrays.stream(JobState.values())
                                            .map(JobState::wireName)
                                            .toList()))));
        }
        return states;
    }

    private static Instant time(String name, String text) {
        Instant time;
        try {
            time = text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("parameter " + name + " is no time such as 2026-01-31T12:00:00Z", e);
        }
        if (time != null && (time.isAfter(LAST) || time.isBefore(Instant.EPOCH))) {
            throw new IllegalArgumentException("parameter " + name + " is not between 1970 and 9999");
        }
        return time;
    }

    private static int after(String text) {
        if (text != null && !AFTER.matcher(text).matches()) {
            throw new IllegalArgumentException("parameter after is not the next of a page");
        }
        return text == null ? 0 : Integer.parseInt(text);
    }
}
