package org.gelato.ce.core.intake;

import java.util.Map;
import java.util.Optional;
import org.gelato.ce.core.job.JobId;

/**
 * What a job wrapper sends first, where its worker node does not see the sandbox: to be the one that runs
 * the job. On the wire it is text as a {@link WrapperEvent}, with {@code event=CLAIM} and {@code claimant}.
 *
 * @param attempt number of the hand-over the wrapper came by, from 1
 * @param claimant what no other wrapper calls itself, and this one always: its question may be repeated
 * @param node worker node; null when unknown
 * @param lrmsId the batch system's own id as the wrapper's environment tells; null when it does not
 * @param token the job's secret
 */
public record FenceRequest(JobId job, int attempt, String claimant, String node, String lrmsId, String token) {
    private static final int MAX_CLAIMANT = 512;
    private static final int MAX_ATTEMPT = 65_535;

    /** Reads a claim; empty when it is none. */
    public static Optional<FenceRequest> parse(byte[] bytes) {
        if (bytes.length > WrapperEvent.MAX_BYTES) {
            return Optional.empty();
        }
        Map<String, String> fields = WrapperEvent.fields(bytes);
        String claimant = fields.getOrDefault("claimant", "");
        String attempt = fields.getOrDefault("attempt", "");
        if (!"CLAIM".equals(fields.get("event"))
                || !attempt.matches("[0-9]{1,5}")
                || Integer.parseInt(attempt) > MAX_ATTEMPT
                || claimant.isEmpty()
                || claimant.length() > MAX_CLAIMANT) {
            return Optional.empty();
        }
        return JobId.parse(fields.get("job"))
                .map(job -> new FenceRequest(
                        job,
                        Integer.parseInt(attempt),
                        claimant,
                        WrapperEvent.bounded(fields.get("node"), 255),
                        WrapperEvent.lrmsId(fields),
                        fields.getOrDefault("token", "")));
    }
}
