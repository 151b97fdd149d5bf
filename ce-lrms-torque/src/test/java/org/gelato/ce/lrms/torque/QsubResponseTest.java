package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.SubmitResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QsubResponseTest {
    private static SubmitResult torque(int exit, String stdout, String stderr) {
        return new QsubResponse(false).of(new Completed(exit, false, stdout, stderr));
    }

    private static SubmitResult slurm(int exit, String stdout) {
        return new QsubResponse(true).of(new Completed(exit, false, stdout, ""));
    }

    @Test
    void takesTheIdAlsoAfterAFiltersOutput() {
        assertThat(torque(0, "hello\n42.torque.example\n", ""))
                .isEqualTo(new SubmitResult.Accepted("42.torque.example"));
        assertThat(slurm(0, "6001\n")).isEqualTo(new SubmitResult.Accepted("6001"));
        assertThat(torque(0, "", "")).isInstanceOf(SubmitResult.Unclear.class);
        assertThat(torque(0, "1." + "x".repeat(LrmsJob.LONGEST_ID) + "\n", ""))
                .isInstanceOf(SubmitResult.Unclear.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 159, 168, 176, 189, 190})
    void aRefusalByTheServerIsFinalAndHasItsMessage(int exit) {
        assertThat(torque(exit, "", "qsub: submit error (Unknown resource type)\n"))
                .isEqualTo(new SubmitResult.Refused("submit error (Unknown resource type)"));
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 111, 126, 127, 162, 175, 188, 200})
    void whatMaySucceedLaterIsUnavailable(int exit) {
        assertThat(torque(exit, "", "message")).isInstanceOf(SubmitResult.Unavailable.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "172|QUEUE|Unknown queue MSG=requested queue not found",
                "175|QUEUE|Queue is not enabled MSG=queue is disabled: user dteam001@localhost, queue dteam",
                "200|QUEUE|Maximum number of jobs already in queue MSG=total number of jobs in queue exceeds the queue limit",
                "200|ACCOUNT_IN_QUEUE|Maximum number of jobs already in queue MSG=total number of current user's jobs exceeds"
                        + " the queue limit: user dteam001@localhost, queue dteam",
                "111|LRMS|cannot connect to server",
            })
    void aQueueThatIsMissingClosedOrFullAndAUsersLimitAreNotTheServers(
            int exit, SubmitResult.Scope scope, String message) {
        assertThat(torque(exit, "", "qsub: submit error (" + message + ")\n"))
                .isEqualTo(new SubmitResult.Unavailable("submit error (" + message + ")", scope));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32, 104, 110, 137, 143, 164, 165, 250, 255})
    void aDoubtfulResultIsUnclear(int exit) {
        assertThat(torque(exit, "", "message")).isInstanceOf(SubmitResult.Unclear.class);
    }

    @Test
    void localErrorsAreReported() {
        assertThat(torque(1, "", "qsub can not be run as root")).isInstanceOf(SubmitResult.Refused.class);
        assertThat(torque(1, "", "qsub: script file '/x' cannot be loaded - No such file or directory"))
                .isInstanceOf(SubmitResult.Unavailable.class);
    }

    @Test
    void aTimeoutIsUnclear() {
        assertThat(new QsubResponse(false).of(new Completed(137, true, "", "")))
                .isInstanceOf(SubmitResult.Unclear.class);
    }

    @Test
    void slurmsErrorsAreOnStdout() {
        String before = "There was an error running the Slurm sbatch command.\nThe command was:\n"
                + "'/usr/bin/sbatch 2>&1'\nand the output was:\n'";
        assertThat(slurm(1, before + "sbatch: error: invalid partition specified: x\n"))
                .isEqualTo(new SubmitResult.Unavailable(
                        "sbatch: error: invalid partition specified: x", SubmitResult.Scope.QUEUE));
        assertThat(slurm(
                        1,
                        before + "sbatch: error: Batch job submission failed: Unable to contact slurm controller"
                                + " (connect failure)\n"))
                .isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(slurm(
                        1,
                        before + "sbatch: error: Batch job submission failed: Required partition not available"
                                + " (inactive or drain)\n"))
                .isInstanceOfSatisfying(
                        SubmitResult.Unavailable.class,
                        u -> assertThat(u.scope()).isEqualTo(SubmitResult.Scope.QUEUE));
        for (String lost : List.of("Connection reset by peer", "Broken pipe", "Invalid authentication credential")) {
            assertThat(slurm(1, before + "sbatch: error: Batch job submission failed: " + lost + "\n"))
                    .as(lost)
                    .isInstanceOf(SubmitResult.Unclear.class);
        }
        assertThat(slurm(1, before + "sbatch: error: Batch job submission failed: Socket timed out\n"))
                .isInstanceOf(SubmitResult.Unclear.class);
        assertThat(slurm(2, "")).isInstanceOf(SubmitResult.Unclear.class);
        String policy =
                "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit)\n";
        assertThat(slurm(1, before + "sbatch: error: AssocMaxSubmitJobLimit\n " + policy))
                .isInstanceOfSatisfying(
                        SubmitResult.Unavailable.class,
                        u -> assertThat(u.scope()).isEqualTo(SubmitResult.Scope.ACCOUNT_IN_QUEUE));
        assertThat(slurm(1, before + "sbatch: error: QOSMaxCpuPerUserLimit\n " + policy))
                .isInstanceOfSatisfying(
                        SubmitResult.Refused.class, r -> assertThat(r.again()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connect failure, connection refused, standby mode, temporarily unable to accept job",
                "required partition not available, invalid partition specified, job submit limit",
                "unable to contact slurm controller, timed out, authentication error",
            })
    void theWordsOfASiteDecideNothingAboutOthers(String words) {
        assertThat(slurm(
                        1,
                        "and the output was:\n'sbatch: error: " + words
                                + "\n sbatch: error: Batch job submission failed: Unspecified error\n'"))
                .isInstanceOfSatisfying(
                        SubmitResult.Refused.class, r -> assertThat(r.again()).isTrue());
        assertThat(torque(176, "", "qsub: submit error (" + words + ")")).isInstanceOf(SubmitResult.Refused.class);
    }

    @Test
    void resourcesThatAreNotThereNowMayBeThereSoon() {
        assertThat(torque(198, "", "message")).isEqualTo(new SubmitResult.Refused("message", true));
    }

    @Test
    void theHelpersErrorsAreDistinguished() {
        assertThat(new QsubResponse(false).of(new AccountCommandException(Code.REFUSED, "no")))
                .isInstanceOf(SubmitResult.Refused.class);
        assertThat(new QsubResponse(false).of(new AccountCommandException(Code.BUSY, "no")))
                .isInstanceOf(SubmitResult.Unavailable.class);
        assertThat(new QsubResponse(false).of(new ChannelLostException("gone")))
                .isInstanceOf(SubmitResult.Unclear.class);
    }

    @Property
    void everyOutputIsClassified(
            @ForAll int exit, @ForAll String stdout, @ForAll String stderr, @ForAll boolean slurm) {
        assertThat(new QsubResponse(slurm).of(new Completed(exit, false, stdout, stderr)))
                .isNotNull();
    }
}
