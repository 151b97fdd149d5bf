package org.gelato.ce.cli.wire;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.json.JobDetail;

/**
 * Everything a CE reports about one job; texts are as on the wire, null when absent.
 *
 * @param history every state, oldest first; never empty
 * @param commands every command, oldest first
 * @param name what the user calls the job; null when absent or not known
 * @param labels {@code NAME=VALUE} each, as far as they are known
 * @param details what the CE reports by its name alone, without what it does not; the queue where not only the description says it
 */
public record JobReport(
        String gridJobId,
        String lrmsJobId,
        String delegationId,
        String delegationProxy,
        String workerNode,
        String localUser,
        String workingDirectory,
        String jdl,
        String type,
        String leaseId,
        Instant leaseTime,
        @JsonInclude(JsonInclude.Include.ALWAYS) List<StatusReport> history,
        @JsonInclude(JsonInclude.Include.ALWAYS) List<CommandReport> commands,
        @JsonIgnore Map<JobDetail, String> details,
        String name,
        List<String> labels) {
    public JobReport {
        details = JobDetail.copy(details);
    }

    /** What the job used; empty before its end and where the CE does not report it. */
    @JsonProperty
    public Map<String, Object> usage() {
        return JobDetail.members(details, JobDetail.USAGE);
    }

    /** All other details. */
    @JsonAnyGetter
    public Map<String, Object> members() {
        return JobDetail.members(details, JobDetail.PLAIN);
    }

    /** The state the job is in. */
    @JsonProperty
    @JsonUnwrapped
    public StatusReport status() {
        return history.get(history.size() - 1);
    }

    /** Why the job waits, where the CE says so: of one that waits here, why its start has not been done. */
    public Optional<String> waits() {
        if (!status().name().equals("PENDING")) {
            return status().waits();
        }
        return status().waits()
                .or(() -> commands.stream()
                        .filter(command -> command.completed() == null)
                        .map(CommandReport::failureReason)
                        .filter(reason -> reason != null && !reason.isBlank() && !reason.equals("N/A"))
                        .reduce((earlier, later) -> later));
    }

    /**
     * One command on a job.
     *
     * @param failureReason null when absent
     * @param created null when absent
     * @param completed null when absent
     */
    public record CommandReport(
            String name, String category, String status, String failureReason, Instant created, Instant completed) {}
}
