package org.gelato.ce.cli.admin;

import java.time.Instant;
import java.util.function.Consumer;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.SiteJobFilter;
import org.gelato.ce.json.SiteJob;

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
    public void read(SiteJobFilter filter, Consumer<SiteJob> jobs) {
        long after = 0;
        while (true) {
            SiteJob.Page page = pages.read(path(filter, after), MAX_BYTES, SiteJob.Page.class);
            page.jobs().forEach(jobs);
            if (page.next() == null) {
                return;
            }
            if (page.next() <= after) {
                throw new CliException("the CE's list of jobs does not end");
            }
            after = page.next();
        }
    }

    private static String path(SiteJobFilter filter, long after) {
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
}
