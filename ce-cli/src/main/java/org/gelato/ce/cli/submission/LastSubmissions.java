package org.gelato.ce.cli.submission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.cli.context.UserCache;
import org.gelato.ce.cli.wire.JobUrl;

/** The ids of the jobs that this user submitted last, in a file of his cache that shells complete from. */
public final class LastSubmissions {
    static final int MOST = 50;

    private LastSubmissions() {}

    /** Puts jobs at the beginning. */
    public static void remember(Map<String, String> environment, Collection<JobUrl> jobs) {
        UserCache file = UserCache.of(environment, "jobs").orElse(null);
        if (file == null || jobs.isEmpty()) {
            return;
        }
        List<String> newest = new ArrayList<>();
        jobs.forEach(job -> newest.add(0, job.toString()));
        Set<String> lines = new LinkedHashSet<>(newest);
        lines.addAll(file.lines());
        file.write(lines.stream().limit(MOST).toList());
    }
}
