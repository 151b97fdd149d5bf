package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.gelato.ce.core.db.SqlTime;
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

/** A clock that is set back puts off nothing for longer, but what a description puts off. */
class ClockSetBackTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    /** Its rows stay when the statement is rolled back. */
    private static final String TRIES = "CREATE TABLE tries (x INT) ENGINE = MyISAM";

    private static final String HELD = "CREATE TRIGGER held BEFORE UPDATE ON command FOR EACH ROW"
            + " IF NEW.run_after < OLD.run_after THEN INSERT INTO tries VALUES (1);"
            + " SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1205; END IF";

    private static final Caller ALICE = TestCe.caller("Alice");

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    private TestCe ce;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
    }

    @AfterEach
    void close() {
        ce.close();
        DB.database().inTransaction(h -> h.execute("DROP TRIGGER IF EXISTS held"));
        DB.database().inTransaction(h -> h.execute("DROP TABLE IF EXISTS tries"));
    }

    private static int tries() {
        return DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM tries")
                        .mapTo(Integer.class)
                        .one());
    }

    private JobId putOffTo(Instant time) {
        JobId id = ce.submit(ALICE);
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE command SET state = 0, run_after = ? WHERE job_id = ?", time, ce.numbers.row(id)));
        return id;
    }

    private Instant due(JobId id) {
        return DB.database()
                .read(h -> h.select("SELECT run_after FROM command WHERE job_id = ?", ce.numbers.row(id))
                        .map((r, c) -> SqlTime.get(r, "run_after"))
                        .one());
    }

    @Test
    void whatWasPutOffIsDueAsMuchEarlier() {
        Duration hour = Duration.ofHours(1);
        JobId retry = putOffTo(now.plus(hour).plusSeconds(10));
        JobId soon = putOffTo(now.plusSeconds(20));
        JobId named = putOffTo(now.plus(hour.multipliedBy(5)));
        JobId due = putOffTo(now.minusSeconds(5));
        int moved = DB.database().inTransaction(h -> ce.commands.clockSetBack(h, now, hour));
        assertThat(moved).isEqualTo(2);
        assertThat(due(retry)).isEqualTo(now.plusSeconds(10));
        assertThat(due(soon)).isEqualTo(now);
        assertThat(due(named)).isEqualTo(now.plus(hour.multipliedBy(5)));
        assertThat(due(due)).isEqualTo(now.minusSeconds(5));
    }

    /** As where a row of it is held by another session. */
    @Test
    void othersAreClaimedWhileItCannotBeMovedAndItIsMovedLater() {
        JobId putOff = putOffTo(now.plusSeconds(600));
        DB.database().inTransaction(h -> h.execute(TRIES));
        DB.database().inTransaction(h -> h.execute(HELD));
        ce.direct = DirectClaims.NONE;
        ce.start();
        ce.ahead = Duration.ofHours(-1);
        await().until(() -> tries() > 0);
        JobId other = ce.submit(ALICE);
        await().until(() -> ce.state(ALICE, other) == JobState.IDLE);
        assertThat(due(putOff)).isEqualTo(now.plusSeconds(600));
        DB.database().inTransaction(h -> h.execute("DROP TRIGGER held"));
        await().until(() -> due(putOff).isBefore(now.minusSeconds(2900)));
    }
}
