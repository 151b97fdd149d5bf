package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running job that is deleted may end with any exit code; only its record of the deletion, which has no name, says more. */
class DeletedJobsTest {
    private static final String DELETED = "11/26/2026 13:00:00;D;7.ce.example.org;requestor=root@ce.example.org\n";
    private static final String ENDED =
            "11/26/2026 13:00:09;E;7.ce.example.org;user=dteam001 group=g jobname=cream_000000007"
                    + " queue=long exec_host=wn1/0 Exit_status=0 resources_used.walltime=00:00:09\n";

    @TempDir
    Path directory;

    private LrmsJob shown(String log) throws IOException {
        Files.writeString(directory.resolve("20261126"), log);
        return new AccountingTail(directory, Clock.systemUTC()).ended().get(0);
    }

    @Test
    void aDeletedJobIsCancelledWhateverItsWrapperEndedWith() throws IOException {
        LrmsJob job = shown(DELETED + ENDED);
        assertThat(job.state()).isEqualTo(LrmsJob.State.CANCELLED);
        assertThat(job.endedAt())
                .isEqualTo(LocalDateTime.parse("2026-11-26T13:00:00")
                        .atZone(ZoneId.systemDefault())
                        .toInstant());
        assertThat(job.usage()).isNotNull();
    }

    @Test
    void anotherJobsDeletionIsItsOwn() throws IOException {
        assertThat(shown(DELETED.replace(";7.", ";8.") + ENDED).state()).isEqualTo(LrmsJob.State.DONE);
    }

    @Test
    void aLimitHasItsTime() throws IOException {
        LrmsJob job = shown(ENDED.replace("Exit_status=0", "Exit_status=-11"));
        assertThat(job.state()).isEqualTo(LrmsJob.State.FAILED);
        assertThat(job.endedAt()).isNotNull();
    }

    /** The hour that there is twice when summer time ends: the record has seconds since 1970 beside its local time. */
    @Test
    void anEndIsExactInTheHourThatThereIsTwice() throws IOException {
        LrmsJob job = shown(ENDED.replace("11/26/2026 13:00:09", "10/25/2026 02:30:00")
                .replace("Exit_status=0", "end=1792891800 Exit_status=-11"));
        assertThat(job.endedAt()).isEqualTo(Instant.parse("2026-10-25T01:30:00Z"));
    }
}
