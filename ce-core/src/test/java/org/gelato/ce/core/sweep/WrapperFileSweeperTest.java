package org.gelato.ce.core.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.account.MemoryAccounts;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WrapperFileSweeperTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

    private TestCe ce;
    private JobId job;
    private SandboxStore sandboxes;
    private SandboxStore.Home home;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        DB.database().inTransaction(h -> h.execute("DELETE FROM usage_record"));
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        sandboxes = new SandboxStore(DB.database(), ce.numbers, ce.layout);
        job = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        home = sandboxes.homes().iterator().next();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private void job(JobState state, String registered) {
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE job SET state = ?, registered_at = ? WHERE id = ?",
                        state.code(),
                        registered,
                        ce.numbers.row(job)));
    }

    private void months(String... names) {
        Stream.of(names)
                .forEach(name -> ce.accounts.write(wrappers().resolve(name).resolve("a"), new byte[1]));
    }

    private Path wrappers() {
        return ce.layout.wrappers(home.directory());
    }

    private List<String> swept(MemoryAccounts accounts) {
        new WrapperFileSweeper(DB.database(), sandboxes, ce.layout, accounts, Clock.fixed(NOW, ZoneOffset.UTC)).sweep();
        return accounts.log().stream()
                .filter(call -> call.startsWith("remove "))
                .map(call -> wrappers().relativize(Path.of(call.substring(7))).toString())
                .toList();
    }

    @Test
    void monthsBeforeTheLastAreRemovedWhereNoJobLives() {
        job(JobState.DONE_OK, "2026-05-01 00:00:00");
        months("2025-12", "2026-09", "2026-10", "2026-11", "2026-12", "mine", "2026-1");
        assertThat(swept(ce.accounts)).containsExactlyInAnyOrder("2025-12", "2026-09");
    }

    @Test
    void whatAJobThatMayStartCouldUseStays() {
        for (JobState state : List.of(JobState.PENDING, JobState.IDLE, JobState.HELD, JobState.RUNNING)) {
            job(state, "2026-07-31 23:59:59");
            months("2026-05", "2026-06", "2026-07", "2026-10");
            assertThat(swept(ce.accounts)).as(state.toString()).containsOnly("2026-05");
        }
    }

    @Test
    void aJobThatWasNeverStartedKeepsNothing() {
        job(JobState.REGISTERED, "2026-01-01 00:00:00");
        months("2026-09");
        assertThat(swept(ce.accounts)).containsExactly("2026-09");
    }

    @Test
    void aClockThatIsBehindKeepsMore() {
        job(JobState.IDLE, "2027-03-01 00:00:00");
        months("2026-09", "2026-10", "2026-11", "2026-12", "2027-01");
        assertThat(swept(ce.accounts)).containsExactly("2026-09");
    }

    @Test
    void aHomeWithoutAnyIsNoError() {
        assertThat(swept(ce.accounts)).isEmpty();
    }
}
