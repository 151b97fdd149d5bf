package org.gelato.ce.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.message.MessageFeed.Scope;
import org.gelato.ce.core.message.MessageIntake.Response;
import org.gelato.ce.core.message.MessageIntake.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What jobs send, from the intake to the readers, on a real database: once, in order, within quotas. */
class StoredMessagesTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Caller BOB = TestCe.caller("Bob");

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

    private static MessageBatch.Line line(String text) {
        return new MessageBatch.Line(
                Instant.ofEpochSecond(1_700_000_000), MessageLevel.INFO, "k", text.getBytes(StandardCharsets.UTF_8));
    }

    private static MessageBatch batch(JobId job, long first, List<String> texts) {
        return new MessageBatch(
                job,
                TestCe.TOKENS.of(job),
                Message.Kind.TEXT,
                first,
                null,
                texts.stream().map(StoredMessagesTest::line).toList(),
                new byte[0]);
    }

    private static MessageBatch batch(JobId job, long first, String... texts) {
        return batch(job, first, List.of(texts));
    }

    private static MessageBatch output(JobId job, Message.Kind kind, long first, String text) {
        return new MessageBatch(
                job,
                TestCe.TOKENS.of(job),
                kind,
                first,
                Instant.ofEpochSecond(1_700_000_000),
                List.of(),
                text.getBytes(StandardCharsets.UTF_8));
    }

    private Response apply(MessageBatch batch) {
        return ce.messages.apply(List.of(batch)).get(0);
    }

    private List<Message> all(JobId job) {
        return ce.feed.after(new Scope.Jobs(Set.of(job)), 0, ce.feed.last(), 1000);
    }

    private static String text(Message message) {
        return new String(message.content(), StandardCharsets.UTF_8);
    }

    private List<String> texts(JobId job) {
        return all(job).stream().map(StoredMessagesTest::text).toList();
    }

    private List<String> notices(JobId job) {
        return all(job).stream()
                .filter(m -> m.kind() == Message.Kind.NOTICE)
                .map(StoredMessagesTest::text)
                .toList();
    }

    private static List<String> numbered(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> "m" + i).toList();
    }

    private JobId running(Caller caller) {
        JobId job = ce.submit(caller);
        DB.database().inTransaction(h -> h.execute("UPDATE job SET state = 4 WHERE state = 1"));
        return job;
    }

    private Path journal(Caller caller, JobId job) {
        return ce.layout
                .sandbox(ce.layout.home(caller.identity().owner(), caller.account()), job)
                .resolve("messages");
    }

    private void journal(Caller caller, JobId job, List<String> texts) {
        StringBuilder journal = new StringBuilder();
        texts.forEach(
                text -> journal.append("1700000000000000 I k ").append(text).append('\n'));
        ce.accounts.write(journal(caller, job), journal.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void done(JobId job, long messages) {
        ce.events.apply(List.of(new WrapperEvent(
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
                messages,
                null,
                null)));
    }

    private MessageFeed.Standing standing(JobId job) {
        return ce.feed.standing(List.of(job)).get(job);
    }

    @Test
    void aMessageIsStoredOnceInItsPlace() {
        JobId job = running(ALICE);
        assertThat(apply(batch(job, 1, "a", "b"))).isEqualTo(new Response(Result.STORED, 3, false));
        assertThat(apply(batch(job, 1, "a", "b"))).isEqualTo(new Response(Result.STORED, 3, false));
        assertThat(apply(batch(job, 2, "b", "c"))).isEqualTo(new Response(Result.STORED, 4, false));
        assertThat(apply(batch(job, 5, "e"))).isEqualTo(new Response(Result.GAP, 4, false));
        List<Message> stored = all(job);
        assertThat(stored).extracting(StoredMessagesTest::text).containsExactly("a", "b", "c");
        assertThat(stored).extracting(Message::number).containsExactly(1L, 2L, 3L);
        assertThat(stored).extracting(Message::id).isSorted().doesNotHaveDuplicates();
        Message first = stored.get(0);
        assertThat(first.job()).isEqualTo(job);
        assertThat(first.ownerId()).isEqualTo(ce.feed.owner(ALICE));
        assertThat(first.kind()).isEqualTo(Message.Kind.TEXT);
        assertThat(first.level()).isEqualTo(MessageLevel.INFO);
        assertThat(first.key()).isEqualTo("k");
        assertThat(first.sent()).isEqualTo(Instant.ofEpochSecond(1_700_000_000));
        assertThat(first.received()).isAfter(first.sent());
    }

    @Test
    void batchesOfARunMayComeInAnyOrder() {
        JobId job = running(ALICE);
        List<Response> responses = ce.messages.apply(List.of(
                batch(job, 3, "c"),
                output(job, Message.Kind.STDOUT, 4, "efgh"),
                batch(job, 1, "a", "b"),
                output(job, Message.Kind.STDOUT, 0, "abcd")));
        assertThat(responses).extracting(Response::result).containsOnly(Result.STORED);
        assertThat(responses).extracting(Response::next).containsExactly(4L, 8L, 3L, 4L);
        assertThat(texts(job)).containsExactlyInAnyOrder("a", "b", "c", "abcd", "efgh");
    }

    @Test
    void outputMayJumpForwardAndNeverBack() {
        JobId job = running(ALICE);
        apply(output(job, Message.Kind.STDOUT, 0, "abcd"));
        apply(output(job, Message.Kind.STDERR, 0, "e"));
        assertThat(apply(output(job, Message.Kind.STDOUT, 2, "cdef")).next()).isEqualTo(6);
        assertThat(apply(output(job, Message.Kind.STDOUT, 100, "later")).next()).isEqualTo(105);
        assertThat(apply(output(job, Message.Kind.STDOUT, 50, "back")).next()).isEqualTo(105);
        assertThat(all(job))
                .extracting(m -> m.kind() + " " + m.number() + " " + text(m))
                .containsExactly("STDOUT 0 abcd", "STDERR 0 e", "STDOUT 4 ef", "STDOUT 100 later");
    }

    @Test
    void aWrongSecretAndAnUnknownJobAreRefused() {
        JobId job = running(ALICE);
        MessageBatch forged = new MessageBatch(
                job, TestCe.TOKENS.of(running(BOB)), Message.Kind.TEXT, 1, null, List.of(line("x")), new byte[0]);
        long statements = DB.database().statements();
        assertThat(apply(forged).result()).isEqualTo(Result.REFUSED);
        assertThat(DB.database().statements()).isEqualTo(statements);
        JobId absent = ce.numbers.id(2_000_000);
        assertThat(apply(batch(absent, 1, "x")).result()).isEqualTo(Result.REFUSED);
        assertThat(ce.messages.refused()).isEqualTo(2);
        assertThat(texts(job)).isEmpty();
    }

    @Test
    void aJobThatEndedWithoutMessagesTakesNone() {
        JobId job = running(ALICE);
        assertThat(standing(job).complete()).isFalse();
        done(job, 0);
        assertThat(standing(job).complete()).isTrue();
        assertThat(apply(batch(job, 1, "late")).result()).isEqualTo(Result.REFUSED);
    }

    @Test
    void whatIsOverAQuotaIsDroppedCountedAndSaid() throws Exception {
        JobId job = running(ALICE);
        int most = TestCe.QUOTA.job().perJob();
        assertThat(apply(batch(job, 1, numbered(1, most - 1))).result()).isEqualTo(Result.STORED);
        assertThat(apply(batch(job, most, "last", "over", "over")))
                .isEqualTo(new Response(Result.FULL, most + 3, false));
        assertThat(apply(batch(job, most + 50, "over")).result()).isEqualTo(Result.FULL);
        assertThat(notices(job))
                .containsExactly("the job's quota of 200 messages is used up; later ones are not stored");
        assertThat(all(job)).hasSize(most + 1);
        done(job, most + 100);
        assertThat(standing(job).complete()).isFalse();
        ce.journals.round();
        assertThat(standing(job).complete()).isTrue();
        assertThat(notices(job)).hasSize(2).last().asString().contains("100 messages and 0 bytes");
    }

    @Test
    void bytesOfMessagesAndOutputHaveQuotasOfTheirOwn() {
        JobId job = running(ALICE);
        String large = "x".repeat(3999);
        assertThat(apply(batch(job, 1, large, large, large, large, large)).result())
                .isEqualTo(Result.STORED);
        assertThat(apply(batch(job, 6, "y")).result()).isEqualTo(Result.FULL);
        assertThat(apply(output(job, Message.Kind.STDOUT, 0, "x".repeat(8000))).result())
                .isEqualTo(Result.STORED);
        assertThat(apply(output(job, Message.Kind.STDERR, 0, "x".repeat(8000))).result())
                .isEqualTo(Result.STORED);
        assertThat(apply(output(job, Message.Kind.STDOUT, 8000, "x".repeat(8000)))
                        .result())
                .isEqualTo(Result.STORED);
        assertThat(apply(output(job, Message.Kind.STDOUT, 16_000, "x".repeat(8000))))
                .isEqualTo(new Response(Result.FULL, 24_000, false));
        assertThat(apply(output(job, Message.Kind.STDOUT, 24_000, "x")).result())
                .isEqualTo(Result.FULL);
        assertThat(notices(job)).hasSize(2).anyMatch(n -> n.contains("bytes of live output"));
    }

    @Test
    void anOwnersQuotaIsNobodyElses() {
        List<JobId> jobs = IntStream.range(0, 6).mapToObj(i -> running(ALICE)).toList();
        String large = "x".repeat(3900);
        int full = 0;
        for (JobId job : jobs) {
            full += apply(batch(job, 1, large, large, large, large, large)).result() == Result.FULL ? 1 : 0;
        }
        assertThat(full).isOne();
        assertThat(notices(jobs.get(5))).singleElement().asString().contains("all jobs of this owner");
        assertThat(apply(batch(running(BOB), 1, large)).result()).isEqualTo(Result.STORED);
        assertThat(bytesStored(ce.feed.owner(ALICE))).isLessThanOrEqualTo(TestCe.QUOTA.bytesPerOwner());
    }

    private long bytesStored(int owner) {
        return DB.database().read(h -> MessageStore.storedOf(h, List.of(owner)).get(owner));
    }

    @Test
    void aLargeTransactionIsAFewStatements() {
        List<MessageBatch> batches = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            batches.add(batch(running(ALICE), 1, numbered(1, 20)));
        }
        long statements = DB.database().statements();
        long commits = DB.database().commits();
        ce.messages.apply(batches);
        assertThat(DB.database().commits() - commits).isOne();
        // New rows, locks, the owner's use, what changed, ids (2), messages.
        assertThat(DB.database().statements() - statements).isEqualTo(7);
        statements = DB.database().statements();
        ce.messages.apply(
                batches.stream().map(b -> batch(b.job(), 21, numbered(21, 21))).toList());
        assertThat(DB.database().statements() - statements).isEqualTo(5);
        statements = DB.database().statements();
        ce.messages.apply(batches);
        assertThat(DB.database().statements() - statements).as("a repetition").isEqualTo(1);
    }

    @Test
    void aListenerRunsAfterWhatWasStoredAndNotAfterARepetition() {
        JobId job = running(ALICE);
        List<List<String>> seen = new ArrayList<>();
        ce.messages.onStored(() -> seen.add(texts(job)));
        apply(batch(job, 1, "a"));
        apply(batch(job, 1, "a"));
        apply(batch(job, 2, "b"));
        assertThat(seen).containsExactly(List.of("a"), List.of("a", "b"));
    }

    @Test
    void aJobThatSentNothingCostsNothingMore() {
        JobId job = running(ALICE);
        JobId other = running(ALICE);
        long statements = DB.database().statements();
        done(job, 0);
        long without = DB.database().statements() - statements;
        apply(batch(other, 1, "a"));
        statements = DB.database().statements();
        done(other, 1);
        assertThat(DB.database().statements() - statements).isEqualTo(without + 1);
        assertThat(standing(other).complete()).isTrue();
    }

    @Test
    void whatIsMissingAtTheEndIsReadFromTheJournal() throws Exception {
        JobId job = running(ALICE);
        apply(batch(job, 1, "m1", "m2"));
        journal(ALICE, job, numbered(1, 150));
        done(job, 150);
        assertThat(standing(job).complete()).isFalse();
        ce.journals.round();
        assertThat(texts(job)).isEqualTo(numbered(1, 150));
        assertThat(standing(job))
                .isEqualTo(new MessageFeed.Standing(ce.feed.owner(ALICE), JobState.DONE_OK, "0", null, true));
        assertThat(apply(batch(job, 151, "late")).result()).isEqualTo(Result.REFUSED);
        done(job, 200);
        assertThat(standing(job).complete()).as("settled for good").isTrue();
        assertThat(ce.journals.round()).isZero();
    }

    @Test
    void aGapIsReadFromTheJournalWhileTheJobRuns() throws Exception {
        JobId job = running(ALICE);
        apply(batch(job, 1, "m1"));
        journal(ALICE, job, numbered(1, 4));
        assertThat(apply(batch(job, 4, "m4")).result()).isEqualTo(Result.GAP);
        ce.journals.round();
        assertThat(texts(job)).isEqualTo(numbered(1, 4));
        assertThat(apply(batch(job, 5, "m5")).result()).isEqualTo(Result.STORED);
        assertThat(ce.journals.round()).isZero();
        assertThat(standing(job).complete()).isFalse();
    }

    @Test
    void aLongJournalIsReadInPiecesAndWhatNobodyWroteIsShown() throws Exception {
        JobId job = running(ALICE);
        StringBuilder journal = new StringBuilder();
        for (int i = 1; i <= 100; i++) {
            journal.append("1700000000000000 I k m").append(i).append('\n');
        }
        journal.append("x".repeat(300_000)).append('\n').append("junk\n").append("1700000000000000 I k cut");
        ce.accounts.write(journal(ALICE, job), journal.toString().getBytes(StandardCharsets.UTF_8));
        done(job, 102);
        ce.journals.round();
        List<String> texts = texts(job);
        assertThat(texts).hasSize(102).startsWith("m1").endsWith("junk");
        assertThat(texts.get(100)).isEqualTo("x".repeat(MessageBatch.MAX_TEXT));
        assertThat(standing(job).complete()).isTrue();
    }

    @Test
    void aJournalThatIsNotThereIsSaidToBeMissing() throws Exception {
        JobId job = running(ALICE);
        apply(batch(job, 1, "m1"));
        done(job, 5);
        ce.accounts.unreadable(
                journal(ALICE, job),
                new AccountCommandException(AccountCommandException.Code.FAILED, "the file server is away"));
        ce.journals.round();
        assertThat(standing(job).complete()).as("it may come back").isFalse();
        ce.accounts.unreadable(journal(ALICE, job), null);
        DB.database().inTransaction(h -> h.execute("UPDATE job_messages SET due_at = '2020-01-01'"));
        ce.journals.round();
        assertThat(standing(job).complete()).as("it may be on its way").isFalse();
        DB.database().inTransaction(h -> h.execute("UPDATE job_messages SET due_at = '2020-01-01'"));
        DB.database().inTransaction(h -> h.execute("UPDATE job SET state_since = '2020-01-01'"));
        ce.journals.round();
        assertThat(notices(job)).containsExactly("4 messages of the job did not arrive");
        assertThat(standing(job).complete()).isTrue();
    }

    @Test
    void jobsThatEndUnmarkedAreFound() throws Exception {
        JobId job = running(ALICE);
        apply(batch(job, 1, "m1"));
        DB.database().inTransaction(h -> h.execute("UPDATE job SET state = 5"));
        assertThat(standing(job).complete()).isFalse();
        journal(ALICE, job, numbered(1, 3));
        ce.journals.sweep();
        ce.journals.round();
        assertThat(texts(job)).isEqualTo(numbered(1, 3));
        assertThat(standing(job).complete()).isTrue();
    }

    @Test
    void wantedOutputIsToldByAFile() throws Exception {
        JobId job = running(ALICE);
        assertThat(ce.feed.wantOutput(job)).isTrue();
        assertThat(ce.feed.wantOutput(job)).isTrue();
        assertThat(apply(batch(job, 1, "a"))).isEqualTo(new Response(Result.STORED, 2, true));
        ce.journals.round();
        assertThat(ce.accounts.files()).containsKey(journal(ALICE, job).resolveSibling("live"));
        ce.journals.round();
        assertThat(ce.journals.round()).isZero();
        assertThat(ce.feed.wantOutput(job)).isTrue();
        assertThat(ce.journals.round()).isZero();
        done(job, 1);
        assertThat(ce.feed.wantOutput(job)).isFalse();
        assertThat(ce.feed.wantOutput(ce.numbers.id(2_000_000))).isFalse();
    }

    @Test
    void theLastOutputIsWaitedForAMoment() throws Exception {
        JobId job = running(ALICE);
        apply(output(job, Message.Kind.STDOUT, 0, "first"));
        done(job, 0);
        assertThat(standing(job).complete()).isFalse();
        assertThat(apply(output(job, Message.Kind.STDOUT, 5, "last")).result()).isEqualTo(Result.STORED);
        DB.database().inTransaction(h -> h.execute("UPDATE job_messages SET due_at = '2020-01-01'"));
        ce.journals.round();
        assertThat(standing(job).complete()).isTrue();
        assertThat(apply(output(job, Message.Kind.STDOUT, 9, "late")).result()).isEqualTo(Result.REFUSED);
        assertThat(texts(job)).containsExactly("first", "last");
        assertThat(ce.accounts.log()).as("without messages there is no journal").noneMatch(l -> l.startsWith("get"));
    }

    @Test
    void readersSeeTheirScopeInOrder() {
        JobId one = running(ALICE);
        JobId two = running(ALICE);
        JobId bobs = running(BOB);
        long before = ce.feed.last();
        for (int i = 1; i <= 5; i++) {
            for (JobId job : List.of(one, two, bobs)) {
                apply(batch(job, i, job + "." + i));
            }
        }
        long last = ce.feed.last();
        int alice = ce.feed.owner(ALICE);
        assertThat(last).isEqualTo(before + 15);
        assertThat(ce.feed.ownersBetween(before, last)).containsExactlyInAnyOrder(alice, ce.feed.owner(BOB));
        assertThat(ce.feed.after(new Scope.All(), before, last, 100))
                .hasSize(15)
                .extracting(Message::id)
                .isSorted();
        assertThat(ce.feed.after(new Scope.Vo("dteam"), before, last, 100)).hasSize(15);
        assertThat(ce.feed.after(new Scope.Vo("other"), before, last, 100)).isEmpty();
        assertThat(ce.feed.after(new Scope.Owner(alice), before, last, 100))
                .hasSize(10)
                .extracting(Message::job)
                .doesNotContain(bobs);
        List<Message> page = ce.feed.after(new Scope.Jobs(Set.of(one, bobs)), before, last, 4);
        assertThat(page)
                .extracting(StoredMessagesTest::text)
                .containsExactly(one + ".1", bobs + ".1", one + ".2", bobs + ".2");
        assertThat(ce.feed.after(new Scope.Jobs(Set.of(one, bobs)), page.get(3).id(), last, 100))
                .hasSize(6);
        assertThat(ce.feed.after(new Scope.All(), last, last, 100)).isEmpty();
    }

    @Test
    void theLastMessageOfEachKeyIsFound() {
        JobId job = running(ALICE);
        List<MessageBatch.Line> lines = new ArrayList<>();
        for (int i = 1; i <= 9; i++) {
            lines.add(new MessageBatch.Line(
                    null,
                    MessageLevel.INFO,
                    i % 3 == 0 ? null : "k" + i % 3,
                    ("m" + i).getBytes(StandardCharsets.UTF_8)));
        }
        apply(new MessageBatch(job, TestCe.TOKENS.of(job), Message.Kind.TEXT, 1, null, lines, new byte[0]));
        apply(output(job, Message.Kind.STDOUT, 0, "out"));
        assertThat(ce.feed.latest(job)).extracting(StoredMessagesTest::text).containsExactly("m7", "m8", "m9");
    }

    @Test
    void aPurgeLeavesNothing() {
        JobId job = running(ALICE);
        apply(batch(job, 1, "a", "b"));
        long last = ce.feed.last();
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        assertThat(all(job)).isEmpty();
        int rows = DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM job_messages")
                        .mapTo(Integer.class)
                        .one());
        assertThat(rows).isZero();
        assertThat(ce.feed.last()).isEqualTo(last);
        assertThat(apply(batch(job, 3, "c")).result()).isEqualTo(Result.REFUSED);
    }

    /** A reader that goes on from the last id it has, while several processes write, misses nothing and sees nothing twice. */
    @Test
    void aCursorNeverSkips() throws Exception {
        int writers = 4;
        int rounds = 40;
        List<TestCe> nodes = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            nodes.add(new TestCe(DB.database(), new FakeLrms(), "node" + i));
        }
        List<JobId> jobs =
                IntStream.range(0, writers).mapToObj(i -> running(ALICE)).toList();
        long begin = ce.feed.last();
        AtomicBoolean writing = new AtomicBoolean(true);
        ExecutorService threads = Executors.newFixedThreadPool(writers + 1);
        try {
            Future<List<Message>> reader = threads.submit(() -> {
                List<Message> seen = new ArrayList<>();
                long cursor = begin;
                boolean more = true;
                while (more) {
                    more = writing.get();
                    long last = ce.feed.last();
                    List<Message> page = ce.feed.after(new Scope.All(), cursor, last, 10_000);
                    seen.addAll(page);
                    cursor = last;
                }
                return seen;
            });
            List<Future<?>> work = new ArrayList<>();
            for (int w = 0; w < writers; w++) {
                TestCe node = nodes.get(w);
                JobId job = jobs.get(w);
                work.add(threads.submit(() -> {
                    for (int r = 0; r < rounds; r++) {
                        node.messages.apply(List.of(batch(job, r * 3 + 1, "a" + r, "b" + r, "c" + r)));
                    }
                }));
            }
            for (Future<?> w : work) {
                w.get();
            }
            writing.set(false);
            List<Message> seen = reader.get();
            assertThat(seen).hasSize(writers * rounds * 3);
            assertThat(seen).extracting(Message::id).isSorted();
            assertThat(new TreeSet<>(seen.stream().map(Message::id).toList())).hasSameSizeAs(seen);
            for (JobId job : jobs) {
                assertThat(seen.stream()
                                .filter(m -> m.job().equals(job))
                                .map(Message::number)
                                .toList())
                        .isEqualTo(IntStream.rangeClosed(1, rounds * 3)
                                .mapToObj(i -> (long) i)
                                .toList());
            }
        } finally {
            threads.shutdownNow();
            nodes.forEach(TestCe::close);
        }
    }

    @Test
    void standingsAreOfJobsThereAre() {
        JobId job = running(ALICE);
        JobId absent = ce.numbers.id(2_000_000);
        Map<JobId, MessageFeed.Standing> standings = ce.feed.standing(List.of(job, absent));
        assertThat(standings).containsOnlyKeys(job);
        assertThat(standings.get(job).state()).isEqualTo(JobState.REALLY_RUNNING);
    }
}
