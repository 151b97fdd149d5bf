package org.gelato.ce.core.lrms;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.NodeRequest;

/** Submissions and look-ups to try batch systems with. */
public final class Submissions {
    public static final NodeRequest ONE_CPU = new NodeRequest(1, null, null, false);

    private Submissions() {}

    public static Submission plain() {
        return of("long", Path.of("/sandboxes/vo/ab/00/00/CREAM000000042"), ONE_CPU);
    }

    public static Submission with(NodeRequest nodes, JobRequest.Limits limits) {
        return of(
                "long",
                Path.of("/sandboxes/vo/ab/00/00/CREAM000000042"),
                new JobRequest.Resources("slurm", "long", nodes, limits));
    }

    public static Submission of(String queue, Path sandbox, NodeRequest nodes) {
        return of(queue, sandbox, new JobRequest.Resources("slurm", queue, nodes));
    }

    public static Submission of(String queue, Path sandbox, JobRequest.Resources resources) {
        JobRequest request = JobRequest.of(new JobRequest.Executable("/bin/sleep", "3"), resources);
        return new Submission(new JobId(42), 1, "dteam001", queue, sandbox, "#!/bin/bash -l\n/bin/sleep 3\n", request);
    }

    /** Jobs of one account whose ids are not known. */
    public static List<Lookup> sought(String account, String... tags) {
        return sought(account, List.of(tags));
    }

    public static List<Lookup> sought(String account, Collection<String> tags) {
        return tags.stream().map(tag -> new Lookup(tag, account, null)).toList();
    }
}
