package org.gelato.ce.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A job of any user, as administrators see it, with the names of what its row refers to. Without the texts of its state, which may be
 * long.
 *
 * @param id local id
 * @param dn of its owner, RFC 2253, or issuer and subject of a token
 * @param fqan null for none
 * @param vo null for none
 * @param account local account
 * @param state the wire's name
 * @param since when its state began
 * @param running when the batch system or the wrapper reported it to run; null before
 * @param ended null before its end
 * @param lrms kind of the batch system
 * @param queue name there
 * @param lrmsJobId null before it is in the batch system
 * @param workerNode null before it is known
 * @param exitCode null before the end, and where none is known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SiteJob(
        String id,
        String dn,
        String fqan,
        String vo,
        String account,
        String state,
        Instant since,
        Instant registered,
        Instant running,
        Instant ended,
        String lrms,
        String queue,
        String lrmsJobId,
        String workerNode,
        @JsonSerialize(using = ExitCodeNumber.class) String exitCode) {
    public SiteJob {
        for (Object given : Arrays.asList(id, dn, account, state, since, registered, lrms, queue)) {
            Objects.requireNonNull(given, "a job without id, dn, account, state, since, registered, lrms or queue");
        }
    }

    /**
     * Some jobs, oldest first.
     *
     * @param jobs may be empty though more follow
     * @param next where the next page begins; null after the last
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Page(List<SiteJob> jobs, Long next) {
        public Page {
            jobs = List.copyOf(Objects.requireNonNull(jobs, "no list of jobs"));
        }
    }
}
