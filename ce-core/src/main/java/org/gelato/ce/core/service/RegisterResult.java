package org.gelato.ce.core.service;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.job.JobId;

/**
 * What became of one description: a job or a fault, never both.
 *
 * @param clientRef echo of {@link JobDescription#clientRef()}; may be null
 * @param id the new job's id, or null
 * @param sandbox the new job's sandbox directory, or null
 * @param properties further properties of the job id (for example {@code DB_ID}, warnings), in wire order; never null
 * @param started whether the job was started too
 * @param delegation id of the delegation the job uses, as it was given; null for none
 * @param routes names of the site's routes that the job matches, in their order; empty for none, and for what was registered before
 * @param fault why there is no job, or null
 */
public record RegisterResult(
        String clientRef,
        JobId id,
        Path sandbox,
        Map<String, String> properties,
        boolean started,
        String delegation,
        List<String> routes,
        JobFault fault) {
    /** Without routes. */
    public RegisterResult(
            String clientRef,
            JobId id,
            Path sandbox,
            Map<String, String> properties,
            boolean started,
            String delegation,
            JobFault fault) {
        this(clientRef, id, sandbox, properties, started, delegation, List.of(), fault);
    }

    static RegisterResult refused(String clientRef, JobFault fault) {
        return new RegisterResult(clientRef, null, null, Map.of(), false, null, fault);
    }
}
