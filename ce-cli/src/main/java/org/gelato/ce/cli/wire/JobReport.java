package org.gelato.ce.cli.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything a CE reports about one job; texts are as on the wire, null when absent.
 *
 * @param history every state, oldest first; never empty
 * @param commands every command, oldest first
 * @param name what the user calls the job; null when absent or not known
 * @param queue null where only the description says it
 * @param usage what the job used; null before its end and where the CE does not report it
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
        UsageReport usage,
        String name,
        String queue) {

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
