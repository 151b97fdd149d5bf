package org.gelato.ce.ws.sandbox;

import java.nio.file.Path;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.sandbox.JobSandbox;

/**
 * One side of a job's sandbox.
 *
 * @param output whether it is what the job left; else its input
 * @param person DN of the job's owner
 * @param subject the number of that DN
 * @param account who owns the files
 * @param files where complete files lie
 * @param parts where files lie, under the same name, while they arrive; beside and not among the complete ones, so that
 *     no name is taken and no reader mistakes a part for the whole
 */
record SandboxSide(JobId job, boolean output, String person, int subject, String account, Path files, Path parts) {
    static SandboxSide input(JobSandbox sandbox) {
        return side(sandbox, false, "ISB");
    }

    static SandboxSide output(JobSandbox sandbox) {
        return side(sandbox, true, "OSB");
    }

    private static SandboxSide side(JobSandbox sandbox, boolean output, String name) {
        return new SandboxSide(
                sandbox.job(),
                output,
                sandbox.person(),
                sandbox.subject(),
                sandbox.account(),
                sandbox.directory().resolve(name),
                sandbox.directory().resolve(name + ".part"));
    }

    Path file(String name) {
        return files.resolve(name);
    }

    Path part(String name) {
        return parts.resolve(name);
    }
}
