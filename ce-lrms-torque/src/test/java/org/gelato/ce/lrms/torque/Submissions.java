package org.gelato.ce.lrms.torque;

import java.nio.file.Path;
import org.gelato.ce.core.description.JobRequest;
import org.gelato.ce.core.description.JobRequest.NodeRequest;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.Submission;

/** Submissions to try things with. */
final class Submissions {
    static final NodeRequest ONE_CPU = new NodeRequest(1, null, null, false, null, null, null, null, null);

    private Submissions() {}

    static Submission plain() {
        return of("long", Path.of("/sandboxes/vo/ab/00/00/CREAM000000042"), ONE_CPU);
    }

    static Submission with(NodeRequest nodes, JobRequest.Limits limits) {
        return of(
                "long",
                Path.of("/sandboxes/vo/ab/00/00/CREAM000000042"),
                new JobRequest.Resources("pbs", "long", nodes, limits));
    }

    static Submission of(String queue, Path sandbox, NodeRequest nodes) {
        return of(queue, sandbox, new JobRequest.Resources("pbs", queue, nodes));
    }

    private static Submission of(String queue, Path sandbox, JobRequest.Resources resources) {
        JobRequest request = JobRequest.of(new JobRequest.Executable("/bin/sleep", "3"), resources);
        return new Submission(new JobId(42), 1, "dteam001", queue, sandbox, "#!/bin/bash -l\n/bin/sleep 3\n", request);
    }
}
