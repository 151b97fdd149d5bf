package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobEndTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "0, DONE, 0, -",
                "255, DONE, 255, -",
                "256, DONE, -, exit status 256",
                "265, DONE, 137, ended by signal 9",
                "271, DONE, 143, ended by signal 15",
                "320, DONE, 192, ended by signal 64",
                "321, DONE, -, exit status 321",
                "13568, DONE, -, exit status 13568",
                "-11, FAILED, -, wall time limit exceeded (exit status -11)",
            })
    void readsEveryFormOfExitStatus(int status, State state, Integer code, String reason) {
        assertThat(JobEnd.of(status)).isEqualTo(new JobEnd(state, code, reason));
    }

    /** Job 20 of the recorded log: somebody sent SIGTERM, and nobody deleted it. */
    @Test
    void aTerminatedJobIsCancelledOnlyByARecordOfItsDeletion() throws IOException {
        Files.writeString(directory.resolve("20261120"), Samples.text("accounting.txt"));
        assertThat(new AccountingTail(directory, Clock.systemUTC()).ended())
                .filteredOn(
                        job -> job.lrmsId().startsWith("20.") || job.lrmsId().startsWith("15."))
                .extracting(LrmsJob::state, LrmsJob::exitCode, LrmsJob::reason)
                .containsExactlyInAnyOrder(
                        tuple(State.DONE, 143, "ended by signal 15"), tuple(State.CANCELLED, null, "deleted"));
    }
}
