package org.gelato.ce.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.account.MemoryAccounts;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.BadMembers;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.fixture.TestClock;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Journals of ended jobs, of which some can't be read or lie in homes that hang: 32 of those took a reader 16 minutes. */
class FailingJournalsTest extends BadMembers {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final TestClock clock = new TestClock(Instant.now());
    private final Map<String, JobId> jobs = new TreeMap<>();
    private TestCe ce;
    private boolean away;
    private JournalReader reader;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        for (int i = 1; i <= 9; i++) {
            jobs.put("user" + i, submit(i));
        }
        end(jobs.values());
        MemoryAccounts accounts = new MemoryAccounts() {
            @Override
            public CompletableFuture<FilePart> get(String account, Path file, long offset, int max) {
                return away
                        ? CompletableFuture.failedFuture(new ChannelLostException("ended"))
                        : outcome(account, () -> ce.accounts.get(account, file, offset, max));
            }
        };
        clock.advance(Duration.ofMinutes(1));
        reader = new JournalReader(
                DB.database(),
                ce.numbers,
                new Journals(new SandboxStore(DB.database(), ce.numbers, ce.layout), accounts, true),
                TestCe.TOKENS,
                ce.messages,
                TestCe.QUOTA,
                new DueSignal(),
                new JournalReader.Clocks(clock, nanos::get));
    }

    private JobId submit(int user) {
        Caller caller = TestCe.caller("User" + user, "user" + user);
        JobId job = ce.submit(caller);
        Path home = ce.layout.home(caller.identity().owner(), caller.account());
        ce.accounts.write(
                ce.layout.sandbox(home, job).resolve("messages"),
                "1700000000000000 I k text\n".getBytes(StandardCharsets.UTF_8));
        return job;
    }

    private void end(Collection<JobId> ended) {
        DB.database().inTransaction(h -> h.execute("UPDATE job SET state = 4 WHERE state = 1"));
        ended.forEach(job -> ce.events.apply(List.of(new WrapperEvent(
                job,
                1,
                WrapperEvent.Kind.DONE,
                Instant.now(),
                "wn1",
                0,
                null,
                null,
                TestCe.TOKENS.of(job),
                null,
                1L,
                null,
                null))));
    }

    /** Both have ended for longer than a journal is waited for. */
    @Test
    void aJournalThatWaitedForAnotherOfItsAccountIsNotLostWithIt() throws InterruptedException {
        JobId second = submit(1);
        end(List.of(second));
        pass(Duration.ofDays(2));
        away = true;
        round();
        away = false;
        pass(Duration.ofDays(1));
        round();
        assertThat(done()).containsAll(members());
        assertThat(DB.database()
                        .<Integer>read(h -> h.select(
                                        "SELECT COUNT(*) FROM message WHERE number > 0 AND job_id IN (?, ?)",
                                        ce.numbers.row(jobs.get("user1")),
                                        ce.numbers.row(second))
                                .mapTo(Integer.class)
                                .one()))
                .as("beside notices, of the one that was not tried")
                .isOne();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    @Override
    protected void pass(Duration time) {
        super.pass(time);
        clock.advance(time);
    }

    @Override
    protected Set<String> members() {
        return jobs.keySet();
    }

    @Override
    protected void round() throws InterruptedException {
        reader.round();
    }

    @Override
    protected Set<String> done() {
        return jobs.entrySet().stream()
                .filter(job -> ce.feed
                        .standing(List.of(job.getValue()))
                        .get(job.getValue())
                        .complete())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
