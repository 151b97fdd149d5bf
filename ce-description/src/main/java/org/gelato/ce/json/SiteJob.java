package org.gelato.ce.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;

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
        @JsonProperty(required = true) String id,
        @JsonProperty(required = true) String dn,
        String fqan,
        String vo,
        @JsonProperty(required = true) String account,
        @JsonProperty(required = true) String state,
        @JsonProperty(required = true) Instant since,
        @JsonProperty(required = true) Instant registered,
        Instant running,
        Instant ended,
        @JsonProperty(required = true) String lrms,
        @JsonProperty(required = true) String queue,
        String lrmsJobId,
        String workerNode,
        String exitCode) {
    /**
     * Some jobs, oldest first.
     *
     * @param jobs may be empty though more follow
     * @param next where the next page begins; null after the last
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Page(@JsonProperty(required = true) List<SiteJob> jobs, Integer next) {}
}
