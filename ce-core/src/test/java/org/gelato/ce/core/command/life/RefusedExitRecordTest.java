package org.gelato.ce.core.command.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.NotPlainFileException;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.intake.WrapperEvent.Kind;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.RegisterResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What a job leaves in the place of its exit record, or of its claim, does not keep it from ending. */
class RefusedExitRecordTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("org.gelato.ce.core.follow");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            log.add(event.getFormattedMessage());
        }
    };
    private TestCe ce;
    private RegisterResult job;

    @BeforeEach
    void open() {
        appender.start();
        logger.addAppender(appender);
        ce = new TestCe(DB.database(), new FakeLrms(), "host1").start();
        job = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(true)), null)
                .get(0);
        awaitState(JobState.IDLE);
    }

    @AfterEach
    void close() {
        ce.close();
        logger.detachAppender(appender);
    }

    private void awaitState(JobState state) {
        await(job.id() + " becomes " + state).until(() -> ce.state(ALICE, job.id()) == state);
    }

    private static byte[] text(JobId id, Kind kind, String token) {
        return ("job=" + id + "\nattempt=1\nevent=" + kind + "\ntime=1700000000000000\nnode=wn1\nexit=0\ntoken=" + token
                        + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private void record(byte[] content) {
        ce.accounts.write(job.sandbox().resolve("exit"), content);
    }

    private void endsInSpiteOf(String refusal) {
        ce.lrms.lookUpFails(true);
        ce.lrms.move(job.id().tag(), LrmsJob.State.DONE, null, null);
        int lookUps = ce.lrms.lookUps();
        await("several rounds meet it").until(() -> ce.lrms.lookUps() >= lookUps + 3);
        ce.lrms.lookUpFails(false);
        awaitState(JobState.DONE_FAILED);
        List<JobStatus> history = ce.jobs
                .queries()
                .info(ALICE, JobFilter.ofIds(List.of(job.id().toString())))
                .get(0)
                .info()
                .history();
        assertThat(history.get(history.size() - 1).failureReason())
                .isEqualTo(
                        "the job wrapper ended without an exit record; fake reports exit code unknown; what was left as"
                                + " its exit record does not count: " + refusal);
        assertThat(log)
                .filteredOn(line -> line.contains("exit record"))
                .containsExactly("exit record of " + job.id() + " does not count: " + refusal);
    }

    @Test
    void aFifoIsNoExitRecord() {
        ce.accounts.unreadable(job.sandbox().resolve("exit"), new NotPlainFileException("not a regular file"));
        endsInSpiteOf("not a regular file");
    }

    @Test
    void garbageIsNoExitRecord() {
        record("no record".getBytes(StandardCharsets.UTF_8));
        endsInSpiteOf("not what a wrapper writes at its end");
    }

    @Test
    void aFileWithoutEndIsNoExitRecord() {
        record(new byte[WrapperEvent.MAX_BYTES + 1]);
        endsInSpiteOf("longer than 8192 bytes");
    }

    @Test
    void aRecordWithAWrongSecretIsNone() {
        record(text(job.id(), Kind.DONE, "0123456789abcdef0123456789abcdef"));
        endsInSpiteOf("without the job's secret");
    }

    @Test
    void aRecordOfAnotherJobIsNone() {
        JobId other = ce.submit(ALICE);
        record(text(other, Kind.DONE, TestCe.TOKENS.of(other)));
        endsInSpiteOf("of another job");
        assertThat(ce.state(ALICE, other)).isNotEqualTo(JobState.DONE_OK);
    }

    @Test
    void aRecordOfABeginningIsNone() {
        record(text(job.id(), Kind.RUNNING, TestCe.TOKENS.of(job.id())));
        endsInSpiteOf("not what a wrapper writes at its end");
    }

    private void unfinished(String name, byte[] content) {
        ce.accounts.write(job.sandbox().resolve(name), content);
    }

    private byte[] whole(String token) {
        byte[] text = text(job.id(), Kind.DONE, token);
        return (new String(text, StandardCharsets.UTF_8) + "whole=yes\n").getBytes(StandardCharsets.UTF_8);
    }

    /** The node could start no process that would have renamed it. */
    @ParameterizedTest
    @ValueSource(strings = {".exit", ".exit.early"})
    void aRecordThatDidNotGetItsNameCounts(String name) {
        record("forged".getBytes(StandardCharsets.UTF_8));
        unfinished(name, whole(TestCe.TOKENS.of(job.id())));
        ce.lrms.move(job.id().tag(), LrmsJob.State.DONE, null, null);
        awaitState(JobState.DONE_OK);
    }

    @Test
    void halfARecordThatDidNotGetItsNameIsNone() {
        unfinished(".exit", text(job.id(), Kind.DONE, TestCe.TOKENS.of(job.id())));
        endsInSpiteOf("not written to its end");
    }

    @Test
    void aRecordThatDidNotGetItsNameNeedsTheSecret() {
        unfinished(".exit.early", whole("0123456789abcdef0123456789abcdef"));
        endsInSpiteOf("without the job's secret");
    }

    @Test
    void aClaimThatCanNotBeReadNamesNobody() {
        ce.accounts.unreadable(
                job.sandbox().resolve("claim/owner"), new NotPlainFileException("a symbolic link is in the way"));
        ce.lrms.move(job.id().tag(), LrmsJob.State.DONE, 0, null);
        awaitState(JobState.DONE_FAILED);
    }

    @Test
    void aRecordThatCanNotBeReadNowIsWaitedFor() {
        ce.accounts.unreadable(
                job.sandbox().resolve("exit"), new AccountCommandException(Code.FAILED, "Input/output error"));
        ce.lrms.move(job.id().tag(), LrmsJob.State.DONE, 0, null);
        await().until(() -> log.stream().anyMatch(l -> l.contains("undecided")));
        int polls = ce.lrms.polls();
        await().until(() -> ce.lrms.polls() >= polls + 3);
        assertThat(log.stream().filter(l -> l.contains("undecided"))).hasSize(1);
        assertThat(ce.state(ALICE, job.id())).isEqualTo(JobState.IDLE);
        record(text(job.id(), Kind.DONE, TestCe.TOKENS.of(job.id())));
        ce.accounts.unreadable(job.sandbox().resolve("exit"), null);
        awaitState(JobState.DONE_OK);
    }
}
