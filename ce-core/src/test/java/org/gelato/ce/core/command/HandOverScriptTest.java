package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.SharedScripts;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs whose script needs something to be written first. */
class HandOverScriptTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Caller BOB = TestCe.caller("Bob");

    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private void awaitState(Caller caller, JobId id, JobState state) {
        await(id + " is " + state).until(() -> ce.state(caller, id) == state);
    }

    private long submitted(JobId id) {
        return ce.lrms.submissions().stream().filter(s -> s.id().equals(id)).count();
    }

    @Test
    void aJobThatWaitsForItsScriptDoesNotKeepOthers() {
        Map<JobId, CompletableFuture<String>> scripts = new ConcurrentHashMap<>();
        ce.scripts = (account, home, request, settings) ->
                scripts.computeIfAbsent(settings.id(), id -> new CompletableFuture<>());
        ce.start();
        JobId waiting = ce.submit(ALICE);
        JobId other = ce.submit(BOB);
        await("both scripts are written").until(() -> scripts.keySet().containsAll(List.of(waiting, other)));
        scripts.get(other).complete("#!/bin/bash\n# other\n");
        awaitState(BOB, other, JobState.IDLE);
        assertThat(submitted(waiting)).isZero();
        assertThat(ce.state(ALICE, waiting)).isEqualTo(JobState.PENDING);
        scripts.get(waiting).complete("#!/bin/bash\n# waited\n");
        awaitState(ALICE, waiting, JobState.IDLE);
        assertThat(ce.lrms.submissions())
                .extracting(s -> s.wrapper())
                .containsExactly("#!/bin/bash\n# other\n", "#!/bin/bash\n# waited\n");
    }

    @Test
    void aScriptThatCannotBeWrittenIsTriedAgain() {
        AtomicInteger tries = new AtomicInteger();
        ce.scripts = (account, home, request, settings) -> switch (tries.incrementAndGet()) {
            case 1 -> CompletableFuture.failedFuture(new AccountCommandException(Code.FAILED, "no space left"));
            case 2 ->
                CompletableFuture.supplyAsync(() -> {
                    throw new ChannelLostException("the helper ended");
                });
            default -> CompletableFuture.completedFuture("#!/bin/bash\n");
        };
        ce.start();
        JobId id = ce.submit(ALICE);
        await("tried").until(() -> tries.get() > 0);
        // what was put off by seconds is due now
        await("handed over").until(() -> {
            DB.database()
                    .inTransaction(h ->
                            h.execute("UPDATE command SET state = 1, run_after = NULL WHERE run_after IS NOT NULL"));
            ce.dispatcher.wake();
            return ce.state(ALICE, id) == JobState.IDLE;
        });
        assertThat(submitted(id)).isEqualTo(1);
        assertThat(tries).hasValue(3);
        assertThat(ce.lrms.lookUps()).as("it was certain that there is no job").isZero();
    }

    @Test
    void anAccountThatIsRefusedRefusesTheJob() {
        ce.scripts = (account, home, request, settings) ->
                CompletableFuture.failedFuture(new AccountCommandException(Code.REFUSED, "uid below min_uid"));
        ce.start();
        JobId id = ce.submit(ALICE);
        awaitState(ALICE, id, JobState.ABORTED);
        assertThat(ce.jobs
                        .queries()
                        .status(ALICE, JobFilter.ofIds(List.of(id.toString())))
                        .get(0)
                        .status()
                        .failureReason())
                .contains("cannot write the common part of job wrappers: uid below min_uid");
    }

    @Test
    void theFileIsThereBeforeTheBatchSystemGetsTheScript() {
        ce.scripts = new SharedScripts(ce.accounts, ce.layout, Clock.systemUTC());
        Map<Path, Boolean> there = new ConcurrentHashMap<>();
        ce.lrms.answer(s -> {
            ce.accounts
                    .files()
                    .keySet()
                    .forEach(file -> there.put(file, s.wrapper().contains(file.toString())));
            return ce.lrms.accept(s);
        });
        ce.start();
        awaitState(ALICE, ce.submit(ALICE), JobState.IDLE);
        assertThat(there).hasSize(1).containsValue(true);
    }
}
