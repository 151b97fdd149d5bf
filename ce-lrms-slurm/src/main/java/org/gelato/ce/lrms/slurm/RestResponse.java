package org.gelato.ce.lrms.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.gelato.ce.core.account.AccountCommands.HttpResponse;

/**
 * What slurmrestd answered. Errors come with {@code error_code}, with {@code error_number} or as a description alone; the
 * texts are those of Slurm's error table, as the commands print them. Pure.
 *
 * @param status of HTTP; {@link HttpResponse#UNKNOWN} when there was no whole response
 * @param jobId of a job that was accepted, also where it is held and an error says why; 0 for none
 * @param code the first error's number in Slurm's error table that says more than that parsing failed; 0 for none
 * @param message all errors, or the text of a response that is no JSON
 * @param owner the account of the first job that was listed; the empty text for none
 */
record RestResponse(Outcome outcome, int status, long jobId, int code, String message, String owner) {
    /** What became of the request. */
    enum Outcome {
        /** It was carried out. */
        DONE,
        /** The status is that of success, beside errors: what they mean depends on the request. */
        DONE_WITH_ERRORS,
        /** slurmrestd did not take it for what it is: nothing was done, and the commands may do better. */
        NOT_ACCEPTED,
        /** slurmctld judged it, and did nothing. */
        REFUSED,
        /** Nothing is known, but for what the message says. */
        UNKNOWN
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int SERVER_ERROR = 500;
    /** Errors of slurmrestd itself and of its parsers. */
    private static final int FIRST_OF_REST = 9000;
    /** Verdicts of slurmctld on a request. */
    private static final int FIRST_VERDICT = 2000;

    private static final int LAST_VERDICT = 2999;
    private static final long LAST_ID = 9_999_999_999L;

    static RestResponse of(HttpResponse response) {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        JsonNode json = null;
        try {
            json = response.status() == HttpResponse.UNKNOWN ? null : JSON.readTree(response.body());
        } catch (IOException e) {
            // errors of the HTTP part are plain text
            text = text.strip();
        }
        if (json == null || !json.isObject()) {
            return of(response.status(), 0, 0, SlurmMessages.brief(text), "");
        }
        int code = 0;
        Set<String> messages = new LinkedHashSet<>();
        for (JsonNode error : json.path("errors")) {
            int number =
                    error.path("error_code").asInt(error.path("error_number").asInt());
            code = code == 0 || (code >= FIRST_OF_REST && number != 0) ? number : code;
            messages.add(words(number, error.path("error"), error.path("description")));
        }
        // a cancel says so of each job, and is no error
        for (JsonNode job : json.path("status")) {
            JsonNode error = job.path("error");
            int number = error.path("code").asInt();
            if (number != 0) {
                code = code == 0 ? number : code;
                messages.add(words(number, error.path("message"), error.path("string")));
            }
        }
        long id = response.status() == OK ? json.path("job_id").asLong() : 0;
        return of(
                response.status(),
                id > 0 && id <= LAST_ID ? id : 0,
                code,
                SlurmMessages.brief(String.join("\n", messages)),
                response.status() == OK
                        ? json.path("jobs").path(0).path("user_name").asText()
                        : "");
    }

    /** The first text that says something, or the error's number, so that no user reads an empty reason. */
    private static String words(int number, JsonNode... texts) {
        for (JsonNode text : texts) {
            if (!text.asText().isBlank()) {
                return text.asText();
            }
        }
        return number == 0 ? "" : "error " + number;
    }

    private static RestResponse of(int status, long jobId, int code, String message, String owner) {
        return new RestResponse(outcome(status, code, message), status, jobId, code, message, owner);
    }

    /**
     * Up to 23.11 the status of all that slurmctld refuses is 500; later ones have one for the verdict, such as 404 for a job
     * that is unknown. With 400 slurmrestd's parsers speak, by numbers of the same table.
     */
    private static Outcome outcome(int status, int code, String message) {
        if (status == OK) {
            return code == 0 && message.isEmpty() ? Outcome.DONE : Outcome.DONE_WITH_ERRORS;
        }
        if (code >= FIRST_VERDICT && code <= LAST_VERDICT && status > BAD_REQUEST) {
            return SlurmMessages.noVerdict(message) ? Outcome.UNKNOWN : Outcome.REFUSED;
        }
        return status >= BAD_REQUEST && status < SERVER_ERROR ? Outcome.NOT_ACCEPTED : Outcome.UNKNOWN;
    }

    boolean isSuccess() {
        return status == OK;
    }

    /** Whether a controller, or slurmrestd for it, reported that the request failed. */
    boolean isFailure() {
        return outcome == Outcome.REFUSED || (outcome == Outcome.UNKNOWN && status > BAD_REQUEST);
    }

    /** The message, with the status where there is one. */
    String text() {
        String words = message.isEmpty() ? "no message" : message;
        return status == HttpResponse.UNKNOWN ? words : words + " (HTTP status " + status + ")";
    }
}
