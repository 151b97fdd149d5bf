package org.gelato.ce.core.command;

import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Another node returned claims to the queue that this one could not renew, and this one claims them anew before their results come. */
class LostPlacesTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final int JOBS = 3;

    private final FakeLrms lrms = new FakeLrms();
    private TestCe ce;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), lrms, "host1").start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    /** As {@link CommandStore#EXPIRE}, a minute later. */
    private static void expire() {
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE command SET state = 1, node_id = NULL, claim_expires_at = NULL WHERE state = 2"));
    }

    @Test
    void eachClaimOfACommandGivesItsPlaceBack() {
        lrms.hangs(true);
        List<JobId> ids = Stream.generate(() -> ce.submit(ALICE)).limit(JOBS).toList();
        await().until(() -> lrms.unanswered().size() == JOBS);
        expire();
        ce.dispatcher.wake();
        // Their look-ups find nothing, so that they are handed over once more.
        await().until(() -> lrms.unanswered().size() > JOBS);
        lrms.hangs(false);
        await().until(() -> {
            lrms.unanswered().forEach((s, f) -> f.complete(lrms.accept(s)));
            return ids.stream().allMatch(id -> ce.state(ALICE, id) == JobState.IDLE);
        });
        await().until(() -> ce.dispatcher.inFlight() == 0);
    }
}
