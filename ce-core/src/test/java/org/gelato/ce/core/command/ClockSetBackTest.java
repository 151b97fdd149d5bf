package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.job.JobId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A clock that is set back puts off nothing for longer, but what a description puts off. */
class ClockSetBackTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

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
    }

    private JobId putOffTo(Instant time) {
        JobId id = ce.submit(TestCe.caller("Alice"));
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
}
