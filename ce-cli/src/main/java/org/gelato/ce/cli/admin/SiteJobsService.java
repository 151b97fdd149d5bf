package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.Consumer;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.SiteJob;

/** Reads the jobs of all users from a CE, a page at a time; only administrators may. */
public final class SiteJobsService {
    private static final String PATH = "/ce-cream/admin/jobs";
    /** Of a page of 2000 jobs with long names. */
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private final AdminPages pages;

    public SiteJobsService(HttpsGet https) {
        this.pages = new AdminPages(https);
    }

    /**
     * Passes the jobs on, oldest first.
     *
     * @throws CliException when the CE refuses the request or does not respond
     */
    public void read(SiteJob.Filter filter, Consumer<SiteJob> jobs) {
        long after = 0;
        while (true) {
            JsonNode page = pages.read(path(filter, after), MAX_BYTES);
            if (!page.path("jobs").isArray()) {
                throw new CliException("the CE's response has no list of jobs");
            }
            page.path("jobs").forEach(job -> jobs.accept(job(job)));
            JsonNode next = page.path("next");
            if (next.isMissingNode()) {
                return;
            }
            if (next.asLong() <= after) {
                throw new CliException("the CE's list of jobs does not end");
            }
            after = next.asLong();
        }
    }

    private static String path(SiteJob.Filter filter, long after) {
        StringBuilder path = new StringBuilder(PATH).append("?after=").append(after);
        add(path, "dn", filter.dn());
        add(path, "vo", filter.vo());
        add(path, "account", filter.account());
        add(path, "queue", filter.queue());
        filter.states().forEach(state -> add(path, "state", state));
        add(path, "before", text(filter.registeredBefore()));
        add(path, "job", filter.job());
        add(path, "batch", filter.batchId());
        add(path, "at", text(filter.at()));
        return path.toString();
    }

    private static void add(StringBuilder path, String name, String value) {
        if (value != null) {
            path.append('&').append(name).append('=').append(AdminPages.encode(value));
        }
    }

    private static String text(Instant time) {
        return time == null ? null : time.toString();
    }

    private static Instant time(JsonNode job, String name) {
        String text = job.path(name).textValue();
        return text == null ? null : Instant.parse(text);
    }

    private static SiteJob job(JsonNode job) {
        try {
            return new SiteJob(
                    needed(job, "id"),
                    needed(job, "dn"),
                    job.path("fqan").textValue(),
                    job.path("vo").textValue(),
                    needed(job, "account"),
                    needed(job, "state"),
                    Instant.parse(needed(job, "since")),
                    Instant.parse(needed(job, "registered")),
                    time(job, "running"),
                    time(job, "ended"),
                    needed(job, "lrms"),
                    needed(job, "queue"),
                    job.path("lrmsJobId").textValue(),
                    job.path("workerNode").textValue(),
                    job.path("exitCode").textValue());
        } catch (DateTimeException e) {
            throw new CliException("the CE's list of jobs has an invalid time: " + e.getMessage(), e);
        }
    }

    private static String needed(JsonNode job, String name) {
        String text = job.path(name).textValue();
        if (text == null) {
            throw new CliException("the CE's list of jobs has a job without " + name);
        }
        return text;
    }
}
