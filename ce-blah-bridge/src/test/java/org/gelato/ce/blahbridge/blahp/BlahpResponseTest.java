package org.gelato.ce.blahbridge.blahp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.gelato.ce.blahbridge.GahpLine;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SubmitResult.Accepted;
import org.gelato.ce.core.lrms.SubmitResult.Refused;
import org.gelato.ce.core.lrms.SubmitResult.Unavailable;
import org.gelato.ce.core.lrms.SubmitResult.Unclear;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results as blahpd 1.23 gave them, and those of the protocol's table that it did not. */
class BlahpResponseTest {
    private static List<String> words(String line) {
        return GahpLine.split(line);
    }

    @Test
    void anIdIsKeptAsBlahpdGaveIt() {
        assertThat(BlahpResponse.submitted(words("0 No\\ error pbs/20261120/0.vm")))
                .isEqualTo(new Accepted("pbs/20261120/0.vm"));
    }

    @Test
    void anIdTooLongForTheDatabaseLosesTheNameOfItsServer() {
        String server = ("a".repeat(61) + ".").repeat(4) + "b".repeat(5);
        assertThat(BlahpResponse.submitted(words("0 No\\ error pbs/20261120/17." + server)))
                .as("the longest name there is, with the usual parts before it")
                .isEqualTo(new Accepted("pbs/20261120/17." + server));
        String before = "a".repeat(16) + "/" + "2".repeat(40) + "/17";
        assertThat(BlahpResponse.submitted(words("0 No\\ error " + before + "." + server)))
                .isEqualTo(new Accepted(before));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 Error\\ parsing\\ classad N/A",
                "1 Missing\\ gridtype\\ in\\ submission\\ classAd N/A",
                "7 Cannot\\ parse\\ Cmd\\ attribute\\ in\\ classad N/A",
            })
    void whatBlahpdCannotReadIsRefused(String line) {
        assertThat(BlahpResponse.submitted(words(line)))
                .isEqualTo(new Refused(words(line).get(1)));
    }

    private static SubmitResult printed(String stderr) {
        return BlahpResponse.submitted(
                List.of("1", "submission command failed (exit code = 1) (stdout:) (stderr:" + stderr + "-)", "N/A"));
    }

    /** Sites write texts with any words, and some batch systems have no list of theirs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "qsub: submit error (Job exceeds queue resource limits MSG=cannot locate feasible nodes)",
                "sbatch: error: unknown queue, queue is not enabled here; sbatch: error: Batch job submission failed: Unspecified error",
                "sbatch: error: connection refused, try again, temporarily out of memory; sbatch: error:"
                        + " Batch job submission failed: Unspecified error",
                "sbatch: error: QOSMaxCpuPerUserLimit; sbatch: error: Batch job submission failed: Job violates"
                        + " accounting/QOS policy (job submit limit, user's size and/or time limits)",
                "qsub: only for the unknown queue of current user's jobs, maximum number of jobs already in queue",
                "ERROR: not authorized to use queue",
                "No space left on device",
            })
    void whatItsCommandPrintedIsTriedAgainAFewTimes(String words) {
        assertThat(printed(words))
                .isInstanceOfSatisfying(
                        Refused.class, r -> assertThat(r.again()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation",
                "sbatch: error: Batch job submission failed: Zero Bytes were transmitted or received",
                "Unable to run job: error: unable to send message to qmaster using port 6444 on host \"ge1\": got send error.",
                "sbatch: error: Batch job submission failed: Header lengths are longer than data received",
                "qsub: submit error (Batch protocol error)",
                "qsub: Error reading data from socket",
                "qsub: End of File",
            })
    void aJobThatMayHaveArrivedIsLookedUp(String words) {
        assertThat(printed(words)).isInstanceOf(Unclear.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)",
                "sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying",
                "LIM is down; try later. Job not submitted.",
                "qsub: Pbs Server is currently too busy to service this request. Please retry this request.",
                "Connection refused",
            })
    void aBatchSystemThatIsNotReachedIsTriedUntilItIs(String words) {
        assertThat(printed(words)).isInstanceOf(Unavailable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 Unable\\ to\\ limit\\ the\\ proxy N/A",
                "3 Error\\ executing\\ the\\ submission\\ command:\\ Success N/A",
                "1 submission\\ command\\ failed\\ (exit\\ code\\ =\\ 1)\\ (stdout:)\\ (stderr:qsub:\\ cannot\\ connect\\ to\\ server\\ vm\\ (errno=111)-) N/A"
            })
    void whatMayWorkLaterIsTriedAgain(String line) {
        assertThat(BlahpResponse.submitted(words(line))).isInstanceOf(Unavailable.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LRMS|qsub: cannot connect to server vm (errno=111)",
                "QUEUE|qsub: submit error (Queue is not enabled MSG=queue is disabled: user a@vm, queue dteam)",
                "QUEUE|qsub: submit error (Maximum number of jobs already in queue MSG=total number of jobs in queue exceeds the queue limit",
                "ACCOUNT_IN_QUEUE|qsub: submit error (Maximum number of jobs already in queue MSG=total number of current user's jobs exceeds",
                "ACCOUNT_IN_QUEUE|sbatch: error: AssocMaxSubmitJobLimit sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
                "QUEUE|qsub: submit error (Unknown queue MSG=requested queue not found)",
                "QUEUE|Batch job submission failed: Invalid partition name specified",
                "QUEUE|Batch job submission failed: Required partition not available (inactive or drain)",
            })
    void whatAnAccountOrAQueueMustWaitForIsNotTheBatchSystems(SubmitResult.Scope scope, String words) {
        assertThat(BlahpResponse.submitted(List.of("1", "submission command failed (stderr:" + words + ")", "N/A")))
                .isInstanceOfSatisfying(
                        Unavailable.class, u -> assertThat(u.scope()).isEqualTo(scope));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"8 no\\ jobId\\ in\\ submission\\ script's\\ output N/A", "0 No\\ error N/A", "137 killed N/A"})
    void doubtfulResultsAreUnclear(String line) {
        assertThat(BlahpResponse.submitted(words(line))).isInstanceOf(Unclear.class);
    }

    @Test
    void aLostChannelIsUnclearAndARefusedCommandIsNot() {
        assertThat(BlahpResponse.submitted(new ChannelLostException("ended", null)))
                .isInstanceOf(Unclear.class);
        assertThat(BlahpResponse.submitted(new AccountCommandException(Code.BUSY, "Threads limit reached")))
                .isInstanceOf(Unavailable.class);
    }

    @Test
    void cancellingWhatIsGoneHasWorked() {
        assertThat(BlahpResponse.cancelled(words("0 No\\ error"))).isNull();
        assertThat(BlahpResponse.cancelled(words("153 qdel:\\ nonexistent\\ job\\ id:\\ 99999.vm")))
                .isNull();
        assertThat(BlahpResponse.cancelled(words("255 Job\\ <4>:\\ No\\ matching\\ job\\ found")))
                .isNull();
        assertThat(BlahpResponse.cancelled(words("1 Job\\ 4.0\\ not\\ found"))).isNull();
        assertThat(BlahpResponse.cancelled(words("1 permission\\ denied"))).isEqualTo("permission denied");
        assertThat(BlahpResponse.cancelled(words("127 sh:\\ 1:\\ qdel:\\ not\\ found")))
                .contains("qdel");
    }

    @Test
    void holdAndReleaseSayWhyNot() {
        assertThat(BlahpResponse.held(words("0 Job\\ Held\\ jobId\\ pbs/20261120/4.vm")))
                .isNull();
        assertThat(BlahpResponse.held(words("1 Job\\ RUNNING:\\ pbs\\ hold\\ command\\ failed\\ (stdout:)")))
                .startsWith("Job RUNNING");
        assertThat(BlahpResponse.released(words("1 Job\\ Idle\\ jobId\\ pbs/20261120/4.vm")))
                .isNull();
        assertThat(BlahpResponse.released(words("1 Job\\ Completed\\ jobId\\ pbs/20261120/99999.vm")))
                .startsWith("Job Completed");
    }

    private static State state(String line) {
        return StatusResponse.of("x", null, words(line)).state();
    }

    @Test
    void statusesAreTheRecordedOnes() {
        assertThat(state("0 No\\ Error 1 [\\ JobStatus\\ =\\ 1;\\ BatchJobId\\ =\\ \"4\"\\ ]"))
                .isEqualTo(State.QUEUED);
        assertThat(
                        state(
                                "0 No\\ Error 2 [\\ JobStatus\\ =\\ 2;\\ WorkerNode\\ =\\ \"vm\";\\ BatchJobId\\ =\\ \"3\"\\ ]"))
                .isEqualTo(State.RUNNING);
        assertThat(state("0 No\\ Error 3 [\\ JobStatus\\ =\\ 3;\\ BatchJobId\\ =\\ \"3\"\\ ]"))
                .isEqualTo(State.CANCELLED);
        assertThat(state("0 No\\ Error 5 [\\ JobStatus\\ =\\ 5;\\ BatchJobId\\ =\\ \"4\"\\ ]"))
                .isEqualTo(State.HELD);
        assertThat(state("1 Error\\ allocating\\ memory 0 N/A")).isEqualTo(State.UNKNOWN);
        assertThat(state("255 Malformed\\ jobId\\ or\\ out\\ of\\ memory 0 N/A"))
                .isEqualTo(State.UNKNOWN);
    }

    @Test
    void anExitCodeIsBelievedOnlyOfAJobThatHadANode() {
        String ended =
                "0 No\\ Error 4 [\\ ExitCode\\ =\\ 3;\\ JobStatus\\ =\\ 4;\\ WorkerNode\\ =\\ \"vm\";\\ BatchJobId\\ =\\ \"2\"\\ ]";
        String unknown =
                "0 No\\ Error 4 [\\ ExitCode\\ =\\ 0;\\ JobStatus\\ =\\ 4;\\ BatchJobId\\ =\\ \"99999.vm\"\\ ]";
        assertThat(StatusResponse.of("x", null, words(ended)).exitCode()).isEqualTo(3);
        assertThat(StatusResponse.of("x", null, words(ended.replace("3;", "271;")))
                        .exitCode())
                .as("what Torque shows of SIGTERM")
                .isEqualTo(143);
        assertThat(StatusResponse.of("x", null, words(ended.replace("3;", "-11;")))
                        .exitCode())
                .isNull();
        assertThat(StatusResponse.of("x", null, words(unknown)).exitCode()).isNull();
        assertThat(StatusResponse.of("x", null, words(unknown)).reason()).contains("does not know");
    }
}
