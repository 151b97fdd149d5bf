package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.lrms.slurm.SlurmRest.cancelResult;
import static org.gelato.ce.lrms.slurm.SlurmRest.changeResult;
import static org.gelato.ce.lrms.slurm.SlurmRest.submitResult;

import java.nio.charset.StandardCharsets;
import org.gelato.ce.core.account.AccountCommands.HttpResponse;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.SubmitResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses of slurmrestd, recorded and made after the forms of later versions. */
class RestResponseTest {
    private static RestResponse recorded(String name) {
        return RestResponse.of(RecordedExchange.of(name).response());
    }

    private static RestResponse answer(int status, String body) {
        return RestResponse.of(new HttpResponse(status, body.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource({"02-submit-full,1", "03-submit-minimal,2", "04-submit-held-200-with-error,3"})
    void aStatusOf200WithAJobIdIsAccepted(String name, String id) {
        assertThat(submitResult(recorded(name))).isEqualTo(new SubmitResult.Accepted(id));
    }

    @Test
    void nothingElseIsAccepted() {
        assertThat(submitResult(answer(200, "{\"errors\":[]}"))).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submitResult(answer(200, "{\"errors\":[],\"job_id\":0}"))).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submitResult(answer(200, "{\"errors\":[],\"job_id\":-3}"))).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submitResult(answer(200, "{\"errors\":[],\"job_id\":99999999999}")))
                .isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submitResult(answer(200, "no JSON"))).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submitResult(answer(201, "{\"job_id\":7}"))).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submitResult(answer(500, "{\"job_id\":7}"))).isInstanceOf(SubmitResult.Unclear.class);
    }

    @ParameterizedTest
    @CsvSource({"09-submit-time-limit-exceeded,Requested time limit is invalid (missing or exceeds some limit)"})
    void verdictsOfTheControllerRefuseTheJobWithItsMessage(String name, String message) {
        assertThat(submitResult(recorded(name))).isEqualTo(new SubmitResult.Refused(message));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"errors\":[{\"error_number\":2051}]}",
                "{\"errors\":[{\"error_number\":2051,\"error\":\"\",\"description\":\" \"}]}"
            })
    void aVerdictWithoutWordsIsItsNumber(String body) {
        assertThat(submitResult(answer(500, body))).isEqualTo(new SubmitResult.Refused("error 2051"));
        assertThat(changeResult(answer(500, body))).isEqualTo("error 2051");
    }

    @Test
    void anEmptyErrorHasItsDescription() {
        assertThat(submitResult(
                        answer(500, "{\"errors\":[{\"error_number\":2051,\"error\":\"\",\"description\":\"no\"}]}")))
                .isEqualTo(new SubmitResult.Refused("no"));
    }

    @Test
    void jobsForAPartitionThatIsNotThereWaitForIt() {
        assertThat(submitResult(recorded("08-submit-unknown-partition")))
                .isEqualTo(new SubmitResult.Unavailable("Invalid partition name specified", SubmitResult.Scope.QUEUE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"05-submit-no-environment", "06-submit-unknown-key", "07-submit-wrong-type", "11-submit-bad-json"
            })
    void whatSlurmrestdCannotReadHadNoEffectAndTheCommandsMayDoBetter(String name) {
        assertThat(recorded(name).outcome()).isEqualTo(RestResponse.Outcome.NOT_ACCEPTED);
    }

    @Test
    void anotherAccountsDaemonAcceptsNothing() {
        assertThat(recorded("28-other-uid-401").outcome()).isEqualTo(RestResponse.Outcome.NOT_ACCEPTED);
        assertThat(recorded("28-other-uid-401").message()).isEqualTo("Authentication failure");
    }

    @Test
    void aControllerThatIsDownHasGotNothing() {
        assertThat(submitResult(recorded("25-submit-controller-down")))
                .isEqualTo(new SubmitResult.Unavailable("Unable to contact slurm controller (connect failure)"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "QUEUE|Required partition not available (inactive or drain)",
            })
    void whatAnAccountOrAPartitionMustWaitForIsNotTheBatchSystems(SubmitResult.Scope scope, String message) {
        assertThat(submitResult(answer(500, "{\"errors\":[{\"error_code\":2015,\"error\":\"" + message + "\"}]}")))
                .isEqualTo(new SubmitResult.Unavailable(message, scope));
    }

    /** It does not name the limit, as sbatch does. */
    @Test
    void aPolicyDecidesNothingForGood() {
        String message = "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)";
        assertThat(submitResult(answer(500, "{\"errors\":[{\"error_code\":2050,\"error\":\"" + message + "\"}]}")))
                .isEqualTo(new SubmitResult.Refused(message, true));
    }

    @Test
    void aControllerThatHangsMayHaveGotTheJob() {
        assertThat(submitResult(recorded("27-submit-controller-hung"))).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submitResult(answer(0, "no response in time"))).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submitResult(recorded("26-jobs-controller-down")))
                .as("an error without a number of Slurm's")
                .isInstanceOf(SubmitResult.Unclear.class);
    }

    @Test
    void aCancelledJobMayHaveEndedOrBeUnknown() {
        assertThat(cancelResult(recorded("16-delete-ok"))).isNull();
        assertThat(cancelResult(recorded("17-delete-unknown"))).isNull();
        assertThat(cancelResult(recorded("22-update-ended"))).isNull();
        assertThat(cancelResult(recorded("18-delete-pending-sigterm-2020")))
                .isEqualTo("Job can not be altered now, try again later");
        for (String nothing : new String[] {"25-submit-controller-down", "26-jobs-controller-down"}) {
            assertThatThrownBy(() -> cancelResult(recorded(nothing))).isInstanceOf(LrmsException.class);
        }
        assertThatThrownBy(() -> cancelResult(answer(0, "closed"))).isInstanceOf(LrmsException.class);
    }

    @Test
    void aChangeOf200WithErrorsFailed() {
        assertThat(changeResult(recorded("20-update-release"))).isNull();
        assertThat(changeResult(recorded("21-update-parse-error-200"))).contains("Failure during parsing");
        assertThat(changeResult(recorded("22-update-ended"))).isEqualTo("Job has already finished");
        assertThat(changeResult(recorded("23-job-unknown"))).isEqualTo("Invalid job id specified");
    }

    @Test
    void laterVersionsAddFields() {
        assertThat(submitResult(answer(200, """
                        {"result":{"job_id":8,"step_id":"batch","error_code":0,"error":"No error","job_submit_user_msg":""},
                         "job_id":8,"step_id":"batch","job_submit_user_msg":"",
                         "meta":{"slurm":{"version":{"major":"24","micro":"5","minor":"11"}}},
                         "errors":[],"warnings":[{"description":"x","source":"y"}]}"""))).isEqualTo(new SubmitResult.Accepted("8"));
        assertThat(submitResult(answer(500, """
                        {"errors":[{"description":"Batch job submission failed","error_number":2000,
                         "error":"Invalid partition name specified","source":"slurm_submit_batch_job()"}],"warnings":[]}""")))
                .isEqualTo(new SubmitResult.Unavailable("Invalid partition name specified", SubmitResult.Scope.QUEUE));
        assertThat(answer(500, "{\"errors\":[{\"description\":\"alone\"}]}").message())
                .isEqualTo("alone");
    }

    @Test
    void hostileAnswersAreBounded() {
        assertThat(answer(500, "{\"errors\":[{\"error\":\"" + "x".repeat(100_000) + "\"}]}")
                        .message())
                .hasSizeLessThanOrEqualTo(1000);
        assertThat(submitResult(answer(200, "[".repeat(100_000)))).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submitResult(answer(500, "{\"errors\":7}"))).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(submitResult(answer(500, ""))).isInstanceOf(SubmitResult.Unclear.class);
    }
}
