package org.gelato.ce.cli.arcrest;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.json.JobDetail;

/** Reads the GLUE 2 document of a job. It has times of the submission, the start and the end, and no others. */
final class Activities {
    private static final String STATE = "arcrest:";

    private Activities() {}

    /** The elements under a name, where one alone may stand without a list (docs/developer/protocol/arc-rest.md, trap 8). */
    static List<JsonNode> list(JsonNode parent, String name) {
        JsonNode node = parent.path(name);
        List<JsonNode> found = new ArrayList<>();
        if (node.isArray()) {
            node.forEach(found::add);
        } else if (!node.isMissingNode() && !node.isNull()) {
            found.add(node);
        }
        return found;
    }

    /** @param answer of {@code action=info} for one job */
    static JobReport report(JsonNode response) {
        JsonNode activity = response.at("/info_document/ComputingActivity");
        return new JobReport(
                null,
                null,
                null,
                null,
                text(list(activity, "ExecutionNode")),
                text(activity, "LocalOwner"),
                null,
                null,
                text(activity, "Type"),
                null,
                null,
                history(activity),
                List.of(),
                JobDetail.ofElements(name -> list(activity, name).stream()
                        .map(JsonNode::asText)
                        .filter(text -> !text.startsWith(JobDetail.LABEL))
                        .findFirst()
                        .orElse(null)),
                text(activity, "Name"),
                list(activity, JobDetail.LABEL_ELEMENT).stream()
                        .map(JsonNode::asText)
                        .filter(text -> text.startsWith(JobDetail.LABEL))
                        .map(text -> text.substring(JobDetail.LABEL.length()))
                        .toList());
    }

    private static List<StatusReport> history(JsonNode activity) {
        String state = list(activity, "State").stream()
                .map(JsonNode::asText)
                .filter(text -> text.startsWith(STATE))
                .map(text -> ArcStates.name(text.substring(STATE.length())))
                .findFirst()
                .orElseThrow(() -> new CliException("the CE sent a job without its state"));
        String exitCode = text(activity, "ExitCode");
        String error = text(list(activity, "Error"));
        if (state.equals("DONE-FAILED") && isOfExitCodeAlone(error, exitCode)) {
            state = StatusReport.DONE_OK;
            error = null;
        }
        StatusReport last = new StatusReport(state, null, exitCode, error, text(list(activity, "OtherMessages")));
        List<StatusReport> history = new ArrayList<>();
        Instant submitted = time(activity, "SubmissionTime");
        Instant queued = time(activity, "ComputingManagerSubmissionTime");
        Instant started = time(activity, "StartTime");
        Instant ended = last.isFinal() ? time(activity, "EndTime") : null;
        if (submitted != null && !state.equals("REGISTERED")) {
            history.add(new StatusReport("REGISTERED", submitted, null, null, null));
        }
        if (queued != null && !state.equals("IDLE")) {
            history.add(new StatusReport("IDLE", queued, null, null, null));
        }
        if (started != null && !state.equals("RUNNING")) {
            history.add(new StatusReport("RUNNING", started, null, null, null));
        }
        Instant since = switch (state) {
            case "REGISTERED" -> submitted;
            case "RUNNING" -> started;
            case "IDLE" -> queued;
            default -> ended;
        };
        history.add(new StatusReport(state, since, last.exitCode(), last.failureReason(), last.description()));
        return history;
    }

    /**
     * Whether a job failed for ARC as its program ended with another code than 0 (docs/developer/protocol/arc-rest.md, How jobs end), which is
     * {@code DONE-OK} with that code by the names of the commands.
     */
    private static boolean isOfExitCodeAlone(String error, String exitCode) {
        return error != null
                && error.equals(
                        "LRMS error: (" + exitCode + ") Job finished with wrong exit code - " + exitCode + " != 0");
    }

    private static String text(List<JsonNode> nodes) {
        return nodes.isEmpty() ? null : nodes.get(0).asText();
    }

    private static String text(JsonNode parent, String name) {
        return parent.path(name).isValueNode() ? parent.path(name).asText() : null;
    }

    static Instant time(JsonNode parent, String name) {
        String text = text(parent, name);
        try {
            return text == null || text.isEmpty() ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            // A time that can't be read is one that is not known.
            return null;
        }
    }
}
