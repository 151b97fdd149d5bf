package org.gelato.ce.lrms.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.account.AccountCommands.HttpResponse;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.command.LrmsException;

/**
 * What slurmrestd answered. Errors come with {@code error_code}, with {@code error_number} or as a description alone; the
 * texts are those of Slurm's error table, as the commands print them. Pure.
 *
 * @param status of HTTP; {@link HttpResponse#UNKNOWN} when there was no whole response
 * @param jobId of a job that was accepted; 0 for none
 * @param code the first error's number in Slurm's error table that says more than that parsing failed; 0 for none
 * @param message all errors, or the text of a response that is no JSON
 * @param owner the account of the first job that was listed; the empty text for none
 */
record RestResponse(int status, long jobId, int code, String message, String owner) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int SERVER_ERROR = 500;
    /** Errors of slurmrestd itself and of its parsers. */
    private static final int FIRST_OF_REST = 9000;
    /** Verdicts of slurmctld on a request. */
    private static final int FIRST_VERDICT = 2000;

    private static final int LAST_VERDICT = 2999;
    private static final int UNSPECIFIED = -1;
    private static final int UNKNOWN_JOB = 2017;
    private static final int COMPLETING = 2021;
    private static final int FINISHED = 2084;
    private static final long LAST_ID = 9_999_999_999L;
    /** As the commands print it. */
    private static final String NOT_PERMITTED = "Access/permission denied";

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
            return new RestResponse(response.status(), 0, 0, SlurmMessages.brief(text), "");
        }
        int code = 0;
        Set<String> messages = new LinkedHashSet<>();
        for (JsonNode error : json.path("errors")) {
            int number =
                    error.path("error_code").asInt(error.path("error_number").asInt());
            code = code == 0 || (code >= FIRST_OF_REST && number != 0) ? number : code;
            messages.add(error.path("error").asText(error.path("description").asText()));
        }
        // a cancel says so of each job, and is no error
        for (JsonNode job : json.path("status")) {
            JsonNode error = job.path("error");
            if (error.path("code").asInt() != 0) {
                code = code == 0 ? error.path("code").asInt() : code;
                messages.add(error.path("message").asText(error.path("string").asText()));
            }
        }
        long id = json.path("job_id").asLong();
        return new RestResponse(
                response.status(),
                id > 0 && id <= LAST_ID ? id : 0,
                code,
                SlurmMessages.brief(String.join("\n", messages)),
                json.path("jobs").path(0).path("user_name").asText());
    }

    /**
     * Whether slurmrestd did not take the request for what it is: nothing was done, and the commands may do better. False for
     * verdicts of Slurm, and where nothing is known.
     */
    boolean isUnusable() {
        return status >= BAD_REQUEST && status < SERVER_ERROR && !isVerdict();
    }

    /**
     * Whether slurmctld has judged the request. Up to 23.11 the status is 500 then; later ones have one for the verdict, such as 404 for a
     * job that is unknown. With 400 slurmrestd's parsers speak, by numbers of the same table.
     */
    boolean isVerdict() {
        return code >= FIRST_VERDICT && code <= LAST_VERDICT && status > BAD_REQUEST;
    }

    /** Whether the account or the daemon can do nothing by REST at all. */
    boolean isForAllRequests() {
        return status == UNAUTHORIZED && !isVerdict();
    }

    /** Whether the error is none of Slurm's table: a site's plugin may have refused, or a controller was lost. */
    boolean isUnexplained() {
        return status >= SERVER_ERROR && code == UNSPECIFIED;
    }

    /** Of a hand-over. A job that is held is accepted with an error beside its id. */
    SubmitResult ofSubmit() {
        if (status == OK && jobId > 0) {
            return new SubmitResult.Accepted(Long.toString(jobId));
        }
        if (isUnusable()) {
            return new SubmitResult.Refused("slurmrestd does not accept the job's description: " + said());
        }
        boolean failed = status >= SERVER_ERROR || isVerdict();
        Optional<SubmitResult> without = failed ? SlurmMessages.withoutEffect(message, message) : Optional.empty();
        if (without.isPresent()) {
            return without.get();
        }
        if (!failed || SlurmMessages.fateUnknown(message)) {
            return new SubmitResult.Unclear("the fate of the job is unknown: " + said());
        }
        return isVerdict() ? new SubmitResult.Refused(message) : new SubmitResult.Unclear(said());
    }

    /**
     * Of a cancel; jobs that have ended or are unknown are cancelled.
     *
     * @return null for success or Slurm's words
     * @throws LrmsException when nothing is known
     */
    String ofCancel() {
        return code == UNKNOWN_JOB || code == FINISHED || code == COMPLETING ? null : ofChange();
    }

    /** Whether a job that was listed is an account's. */
    boolean isOf(String account) {
        return status == OK && account.equals(owner);
    }

    /**
     * As {@link #ofCancel}, of a job that is not cancelled as it is not the account's, or has another name of it.
     *
     * @param byCommand whether scancel may decide, which knows accounts by their numbers and harms nothing
     * @throws RestUnusableException when scancel is to decide, or slurmrestd does not say whose it is
     */
    String ofForeign(boolean byCommand) {
        if (!owner.isEmpty()) {
            if (byCommand) {
                throw new RestUnusableException(
                        "the job's account is called " + owner + " there", RestUnusableException.Scope.REQUEST);
            }
            return NOT_PERMITTED;
        }
        if (status == HttpResponse.UNKNOWN) {
            throw new RestUnusableException(
                    "slurmrestd does not say whose the job is: " + said(), RestUnusableException.Scope.NOW);
        }
        String words = ofCancel();
        if (code == 0) {
            throw new RestUnusableException(
                    "slurmrestd does not say whose the job is", RestUnusableException.Scope.REQUEST);
        }
        return words;
    }

    /** As {@link #ofCancel}, of hold and release; here an ended job is an error, and so is any entry beside success. */
    String ofChange() {
        if (status == OK) {
            return code == 0 && message.isEmpty() ? null : said();
        }
        if (!isVerdict() || SlurmMessages.noVerdict(message)) {
            throw new LrmsException("slurmrestd: " + said());
        }
        return message;
    }

    private String said() {
        String words = message.isEmpty() ? "no message" : message;
        return status == HttpResponse.UNKNOWN ? words : words + " (HTTP status " + status + ")";
    }
}
