package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletionException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SubmitResult.Accepted;
import org.gelato.ce.core.lrms.SubmitResult.Refused;
import org.gelato.ce.core.lrms.SubmitResult.Scope;
import org.gelato.ce.core.lrms.SubmitResult.Unavailable;
import org.gelato.ce.core.lrms.SubmitResult.Unclear;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SbatchResponseTest {
    private static final String VERDICT = "sbatch: error: Batch job submission failed: ";

    @Test
    void aNumberIsTheJobId() {
        assertThat(answer(0, "4711\n", "")).isEqualTo(new Accepted("4711"));
        assertThat(answer(0, "4711;north\n", "")).isEqualTo(new Accepted("4711"));
        assertThat(answer(0, "Dear user, 3 jobs are yours\n4711\n", "sbatch: warning: deprecated\n"))
                .isEqualTo(new Accepted("4711"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "Submitted\n", "12x\n", "-3\n", "99999999999\n", "1 2\n"})
    void successWithoutAJobIdIsUnclear(String stdout) {
        assertThat(answer(0, stdout, "")).isInstanceOf(Unclear.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Requested node configuration is not available",
                "Requested time limit is invalid (missing or exceeds some limit)",
                "More processors requested than permitted",
                "Node count specification invalid",
                "Invalid account or account/partition combination specified",
                "Invalid qos specification",
                "User's group not permitted to use this partition",
                "Access/permission denied",
            })
    void aRejectionByTheControllerIsRefusedWithItsMessage(String message) {
        assertThat(answer(1, "", "sbatch: error: invalid partition specified: x\n" + VERDICT + message + "\n"))
                .isEqualTo(new Refused("invalid partition specified: x; Batch job submission failed: " + message));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Unable to contact slurm controller (connect failure)",
                "Resource temporarily unavailable",
                "Slurm temporarily unable to accept job, sleeping and retrying",
                "Slurm backup controller in standby mode",
                "Requested operation is presently disabled",
                "Connection refused",
            })
    void aRequestThatCertainlyDidNotArriveMayBeRetried(String message) {
        assertThat(answer(1, "", VERDICT + message + "\n"))
                .isInstanceOfSatisfying(
                        Unavailable.class, u -> assertThat(u.scope()).isEqualTo(Scope.LRMS));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "QUEUE|Required partition not available (inactive or drain)",
                "ACCOUNT_IN_QUEUE|Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
            })
    void whatAnAccountOrAPartitionMustWaitForIsNotTheBatchSystems(Scope scope, String message) {
        for (String limit :
                List.of("QOSMaxSubmitJobPerUserLimit", "AssocMaxSubmitJobLimit", "AssocGrpSubmitJobsLimit")) {
            assertThat(answer(1, "", "sbatch: error: " + limit + "\n" + VERDICT + message + "\n"))
                    .isInstanceOfSatisfying(
                            Unavailable.class, u -> assertThat(u.scope()).isEqualTo(scope));
        }
    }

    /** A QOS with DenyOnLimit says so of a job for which there will never be room, by the same code. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sbatch: error: QOSMaxCpuPerUserLimit\n",
                "sbatch: error: QOSMaxWallDurationPerJobLimit\n",
                "sbatch: error: AssocMaxCpuPerJobLimit\n",
                "sbatch: error: see AssocMaxSubmitJobLimit of our pages\n"
            })
    void aPolicyThatIsNoNumberOfJobsIsTriedAgainAFewTimes(String before) {
        assertThat(
                        answer(
                                1,
                                "",
                                before
                                        + VERDICT
                                        + "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)\n"))
                .isInstanceOfSatisfying(
                        Refused.class, r -> assertThat(r.again()).isTrue());
    }

    /** The texts of job_submit.lua are the site's: none of them is about other jobs, or about Slurm. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "connect failure, connection refused, no route to host, network is unreachable",
                "error resolving dns, unable to locate any slurmctld, clustername needs to be specified",
                "slurm temporarily unable to accept job, resource temporarily unavailable, standby mode",
                "requested operation is presently disabled, rate limit, job state is being saved",
                "required partition not available, partition is down, invalid partition name specified",
                "job submit limit, AssocMaxSubmitJobLimit, QOSMaxSubmitJobPerUserLimit",
                "Socket timed out on send/recv operation, zero bytes were transmitted, authentication error",
                "Batch job submission failed: Required partition not available (inactive or drain)",
            })
    void theWordsOfASiteDecideNothingAboutOthers(String words) {
        assertThat(answer(1, "", "sbatch: error: " + words + "\n" + VERDICT + "Unspecified error\n"))
                .isInstanceOfSatisfying(
                        Refused.class, r -> assertThat(r.again()).isTrue());
        assertThat(answer(1, "", "sbatch: error: " + words + "\n" + VERDICT + "Invalid qos specification\n"))
                .isInstanceOfSatisfying(
                        Refused.class, r -> assertThat(r.again()).isFalse());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Socket timed out on send/recv operation",
                "Unable to contact slurm controller (receive failure)",
                "Unable to contact slurm controller (send failure)",
                "Zero Bytes were transmitted or received",
                "Unexpected missing socket error",
                "Communication shutdown failure",
                "Invalid authentication credential",
                "Protocol authentication error",
                "Unexpected message received",
                "Connection reset by peer",
                "Kernel reported delayed socket error after successful write()",
                "Process is shutting down and closing all communications",
                "Cannot unpack credential",
                "Unspecified error",
            })
    void aRequestThatMayHaveArrivedIsUnclear(String message) {
        assertThat(answer(1, "", VERDICT + message + "\n")).isInstanceOf(Unclear.class);
    }

    @Test
    void aRequestThatCouldNotBeSignedWasNotSent() {
        String munge = """
                sbatch: error: If munged is up, restart with --num-threads=10
                sbatch: error: Munge encode failed: Failed to access "/run/munge/socket": No such file
                """;
        assertThat(answer(1, "", munge + VERDICT + "Protocol authentication error\n"))
                .isInstanceOf(Unavailable.class);
        // signed at the second try, sent, and no response
        assertThat(answer(1, "", munge + VERDICT + "Socket timed out on send/recv operation\n"))
                .isInstanceOf(Unclear.class);
    }

    @Test
    void aSitesSubmitPluginRefusesWithItsOwnMessage() {
        assertThat(answer(1, "", "sbatch: error: ask for less than a week\n" + VERDICT + "Unspecified error\n"))
                .isEqualTo(
                        new Refused("ask for less than a week; Batch job submission failed: Unspecified error", true));
    }

    @Test
    void aRefusalAfterATemporaryErrorIsARefusal() {
        assertThat(answer(
                        1,
                        "",
                        "sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying\n" + VERDICT
                                + "Invalid qos specification\n"))
                .isInstanceOf(Refused.class);
    }

    /** The CE has it in its configuration, and an administrator may have removed it for a moment. */
    @Test
    void jobsForAPartitionThatIsNotThereWaitForIt() {
        String message = "Invalid partition name specified";
        assertThat(answer(1, "", "sbatch: error: invalid partition specified: x\n" + VERDICT + message + "\n"))
                .isEqualTo(new Unavailable(
                        "invalid partition specified: x; Batch job submission failed: " + message, Scope.QUEUE));
    }

    @Test
    void theWordsOfAFilterForTheCommandLineAreNoOutage() {
        assertThat(answer(
                        1, "", "sbatch: error: connection refused for queues with a job submit limit, standby mode\n"))
                .isInstanceOf(Refused.class);
    }

    @Test
    void errorsBeforeSbatchCalledTheController() {
        assertThat(answer(1, "", "sbatch: error: Invalid generic resource (gres) specification\n"))
                .isEqualTo(new Refused("Invalid generic resource (gres) specification"));
        assertThat(answer(255, "", "sbatch: unrecognized option '--parsable'\n"))
                .isInstanceOf(Refused.class);
        assertThat(answer(1, "", """
                        sbatch: error: s_p_parse_file: cannot stat file /x: No such file or directory
                        sbatch: fatal: Unable to process configuration file
                        """)).isInstanceOf(Unavailable.class);
        assertThat(answer(127, "", "not found")).isInstanceOf(Unavailable.class);
    }

    @Test
    void aKilledSbatchIsUnclear() {
        assertThat(answer(137, "", "")).isInstanceOf(Unclear.class);
        assertThat(answer(1, "", "")).isInstanceOf(Unclear.class);
        assertThat(new SbatchResponse()
                        .of(new Completed(137, true, "", VERDICT + "Invalid partition name specified\n")))
                .isInstanceOf(Unclear.class);
        // there is a number, but a line may have been lost
        assertThat(new SbatchResponse().of(new Completed(0, true, "12\n", ""))).isInstanceOf(Unclear.class);
    }

    @Test
    void theHelpersOwnErrors() {
        assertThat(failure(AccountCommandException.Code.REFUSED)).isEqualTo(new Refused("message"));
        assertThat(failure(AccountCommandException.Code.BUSY)).isEqualTo(new Unavailable("message"));
        assertThat(failure(AccountCommandException.Code.FAILED)).isEqualTo(new Unavailable("message", Scope.ACCOUNT));
        assertThat(failure(AccountCommandException.Code.NO_SUCH_FILE))
                .isEqualTo(new Unavailable("message", Scope.ACCOUNT));
        assertThat(new SbatchResponse().of(new CompletionException(new ChannelLostException("gone"))))
                .isInstanceOf(Unclear.class);
        assertThat(new SbatchResponse().of(new IllegalStateException("odd"))).isInstanceOf(Unclear.class);
    }

    @Property
    void everyOutputIsClassified(
            @ForAll int exit, @ForAll boolean timedOut, @ForAll String stdout, @ForAll String stderr) {
        SubmitResult result = new SbatchResponse().of(new Completed(exit, timedOut, stdout, stderr));
        assertThat(result).isNotNull();
        // only Slurm's own message after a normal end may report that there is no job
        if (timedOut) {
            assertThat(result).isInstanceOf(Unclear.class);
        }
    }

    private static SubmitResult answer(int exit, String stdout, String stderr) {
        return new SbatchResponse().of(new Completed(exit, false, stdout, stderr));
    }

    private static SubmitResult failure(AccountCommandException.Code code) {
        return new SbatchResponse().of(new CompletionException(new AccountCommandException(code, "message")));
    }
}
