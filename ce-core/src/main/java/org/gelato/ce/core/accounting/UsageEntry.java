package org.gelato.ce.core.accounting;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import org.gelato.ce.core.job.JobId;

/**
 * A usage record as it is published and listed.
 *
 * @param lrmsId null for a job that never was in the batch system
 * @param x509 whether the subject is a DN (RFC 2253); otherwise {@code issuer,subject} of a token
 * @param fqan under which the job is accounted; empty for none
 * @param running when the job began; null where that was not reported
 * @param end the one it was published with first, where it was
 * @param cpuSeconds null where nobody measured it
 * @param wallSeconds null where nobody measured it
 * @param cores null where nobody reported them
 * @param memoryKib null where nobody measured it
 * @param node null where nobody reported it
 * @param exitCode null where there is none
 * @param published whether a message carries it as it stands
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record UsageEntry(
        @JsonIgnore int id,
        @JsonProperty("id") JobId job,
        @JsonIgnore String lrms,
        String queue,
        @JsonProperty("batchId") String lrmsId,
        String account,
        @JsonIgnore boolean x509,
        @JsonProperty("user") String subject,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String fqan,
        Instant running,
        @JsonProperty("ended") Instant end,
        BigDecimal cpuSeconds,
        BigDecimal wallSeconds,
        Integer cores,
        Long memoryKib,
        String node,
        String state,
        String exitCode,
        boolean published) {
    /** The end by whole seconds, as receivers know it. */
    long endSecond() {
        return end.getEpochSecond();
    }

    /** The measured time in seconds, and where there is none the time between begin and end. */
    BigDecimal wall() {
        if (wallSeconds != null) {
            return wallSeconds;
        }
        return running == null || running.isAfter(end)
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(Duration.between(running, end).toMillis(), 3);
    }

    /** In seconds; zero where nobody measured it. */
    BigDecimal cpu() {
        return cpuSeconds == null ? BigDecimal.ZERO : cpuSeconds;
    }

    /** Whole seconds, as receivers take them. Sums are rounded, not what is added up. */
    static long rounded(BigDecimal seconds) {
        return seconds.setScale(0, RoundingMode.HALF_UP).longValueExact();
    }

    /** Those that somebody reported; otherwise 1, as no job ran on fewer. */
    int processors() {
        return cores == null ? 1 : Math.max(1, cores);
    }

    /** Never after the end, and by its clock where the time between them was measured: the begin is of another clock. */
    long startSecond() {
        boolean measured = running == null || wallSeconds != null;
        long begin = measured ? endSecond() - rounded(wall()) : running.getEpochSecond();
        return Math.max(0, Math.min(begin, endSecond()));
    }
}
