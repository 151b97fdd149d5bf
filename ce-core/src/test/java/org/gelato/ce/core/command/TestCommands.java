package org.gelato.ce.core.command;

import java.time.Instant;
import java.util.Map;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;

/** Claimed commands of no database, and room to claim some of one. */
final class TestCommands {
    private static final int QUEUE = 3;

    private TestCommands() {}

    /** Room for so many commands of each lane. */
    static Map<String, Integer> room(int each) {
        return Map.of(Lane.CONTROL, each, Lane.handOver("fake"), each, Lane.OTHER, each, Lane.PURGE, each);
    }

    /** Of a job with the same number, of the account {@code accN} in the queue {@code long}. */
    static ClaimedCommand claimed(int number, CommandKind kind, int account) {
        return claimed(number, kind, account, ClaimedCommand.RouteRow.NONE);
    }

    /** The same, with settings of routes. */
    static ClaimedCommand claimed(int number, CommandKind kind, int account, ClaimedCommand.RouteRow route) {
        JobState state = kind == CommandKind.JOB_START ? JobState.PENDING : JobState.DONE_OK;
        JobRow job = new JobRow(
                number,
                new JobRow.Registration(1, QUEUE, account, Instant.EPOCH, null, null),
                new JobStatus(state, Instant.EPOCH, null, null, null),
                null,
                null,
                new JobRow.BatchJob(JobRow.HandOver.NONE, 1, null, null, null));
        return new ClaimedCommand(
                number,
                kind,
                Lane.of(kind, "fake"),
                1,
                1,
                job,
                new JobId(number),
                false,
                "acc" + account,
                "fake",
                "long",
                new Owner("CN=Alice", "/dteam", "dteam"),
                null,
                null,
                false,
                route,
                0,
                "");
    }
}
