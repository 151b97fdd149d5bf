package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.gelato.ce.core.account.AccountCommands.HttpResponse;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.command.LrmsException;
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
        assertThat(recorded(name).ofSubmit()).isEqualTo(new SubmitResult.Accepted(id));
    }

    @Test
    void nothingElseIsAccepted() {
        assertThat(answer(200, "{\"errors\":[]}").ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(answer(200, "{\"errors\":[],\"job_id\":0}").ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(answer(200, "{\"errors\":[],\"job_id\":-3}").ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(answer(200, "{\"errors\":[],\"job_id\":99999999999}").ofSubmit())
                .isInstanceOf(SubmitResult.Unclear.class);
        assertThat(answer(200, "no JSON").ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(answer(201, "{\"job_id\":7}").ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(answer(500, "{\"job_id\":7}").ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
    }

    @ParameterizedTest
    @CsvSource({"09-submit-time-limit-exceeded,Requested time limit is invalid (missing or exceeds some limit)"})
    void verdictsOfTheControllerRefuseTheJobWithItsMessage(String name, String message) {
        assertThat(recorded(name).ofSubmit()).isEqualTo(new SubmitResult.Refused(message));
    }

    @Test
    void jobsForAPartitionThatIsNotThereWaitForIt() {
        assertThat(recorded("08-submit-unknown-partition").ofSubmit())
                .isEqualTo(new SubmitResult.Unavailable("Invalid partition name specified", SubmitResult.Scope.QUEUE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"05-submit-no-environment", "06-submit-unknown-key", "07-submit-wrong-type", "11-submit-bad-json"
            })
    void whatSlurmrestdCannotReadHadNoEffectAndTheCommandsMayDoBetter(String name) {
        assertThat(recorded(name).isUnusable()).isTrue();
        assertThat(recorded(name).isForAllRequests()).isFalse();
        assertThat(recorded(name).ofSubmit()).isInstanceOf(SubmitResult.Refused.class);
    }

    @Test
    void anotherAccountsDaemonCanBeUsedForNothing() {
        assertThat(recorded("28-other-uid-401").isForAllRequests()).isTrue();
        assertThat(recorded("28-other-uid-401").message()).isEqualTo("Authentication failure");
    }

    @Test
    void aControllerThatIsDownHasGotNothing() {
        assertThat(recorded("25-submit-controller-down").ofSubmit())
                .isEqualTo(new SubmitResult.Unavailable("Unable to contact slurm controller (connect failure)"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "QUEUE|Required partition not available (inactive or drain)",
            })
    void whatAnAccountOrAPartitionMustWaitForIsNotTheBatchSystems(SubmitResult.Scope scope, String message) {
        assertThat(answer(500, "{\"errors\":[{\"error_code\":2015,\"error\":\"" + message + "\"}]}")
                        .ofSubmit())
                .isEqualTo(new SubmitResult.Unavailable(message, scope));
    }

    /** It does not name the limit, as sbatch does. */
    @Test
    void aPolicyDecidesNothingForGood() {
        String message = "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)";
        assertThat(answer(500, "{\"errors\":[{\"error_code\":2050,\"error\":\"" + message + "\"}]}")
                        .ofSubmit())
                .isEqualTo(new SubmitResult.Refused(message, true));
    }

    @Test
    void aControllerThatHangsMayHaveGotTheJob() {
        assertThat(recorded("27-submit-controller-hung").ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(answer(0, "no response in time").ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(recorded("26-jobs-controller-down").ofSubmit())
                .as("an error without a number of Slurm's")
                .isInstanceOf(SubmitResult.Unclear.class);
    }

    @Test
    void aCancelledJobMayHaveEndedOrBeUnknown() {
        assertThat(recorded("16-delete-ok").ofCancel()).isNull();
        assertThat(recorded("17-delete-unknown").ofCancel()).isNull();
        assertThat(recorded("22-update-ended").ofCancel()).isNull();
        assertThat(recorded("18-delete-pending-sigterm-2020").ofCancel())
                .isEqualTo("Job can not be altered now, try again later");
        for (String nothing : new String[] {"25-submit-controller-down", "26-jobs-controller-down"}) {
            assertThatThrownBy(() -> recorded(nothing).ofCancel()).isInstanceOf(LrmsException.class);
        }
        assertThatThrownBy(() -> answer(0, "closed").ofCancel()).isInstanceOf(LrmsException.class);
    }

    @Test
    void aChangeOf200WithErrorsFailed() {
        assertThat(recorded("20-update-release").ofChange()).isNull();
        assertThat(recorded("21-update-parse-error-200").ofChange()).contains("Failure during parsing");
        assertThat(recorded("22-update-ended").ofChange()).isEqualTo("Job has already finished");
        assertThat(recorded("23-job-unknown").ofChange()).isEqualTo("Invalid job id specified");
    }

    @Test
    void laterVersionsAddFields() {
        assertThat(answer(200, """
                        {"result":{"job_id":8,"step_id":"batch","error_code":0,"error":"No error","job_submit_user_msg":""},
                         "job_id":8,"step_id":"batch","job_submit_user_msg":"",
                         "meta":{"slurm":{"version":{"major":"24","micro":"5","minor":"11"}}},
                         "errors":[],"warnings":[{"description":"x","source":"y"}]}""").ofSubmit()).isEqualTo(new SubmitResult.Accepted("8"));
        assertThat(answer(500, """
                        {"errors":[{"description":"Batch job submission failed","error_number":2000,
                         "error":"Invalid partition name specified","source":"slurm_submit_batch_job()"}],"warnings":[]}""").ofSubmit())
                .isEqualTo(new SubmitResult.Unavailable("Invalid partition name specified", SubmitResult.Scope.QUEUE));
        assertThat(answer(500, "{\"errors\":[{\"description\":\"alone\"}]}").message())
                .isEqualTo("alone");
    }

    @Test
    void hostileAnswersAreBounded() {
        assertThat(answer(500, "{\"errors\":[{\"error\":\"" + "x".repeat(100_000) + "\"}]}")
                        .message())
                .hasSizeLessThanOrEqualTo(1000);
        assertThat(answer(200, "[".repeat(100_000)).ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(answer(500, "{\"errors\":7}").ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(answer(500, "").ofSubmit()).isInstanceOf(SubmitResult.Unclear.class);
    }
}
