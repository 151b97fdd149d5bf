package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountingLogTest {
    private static final String START =
            "11/20/2026 22:28:36;S;1.t;user=dteam001 group=dteam001 jobname=cream_000000001 queue=q exec_host=wn1/0\n";
    private static final String END = "11/20/2026 22:29:36;E;1.t;user=dteam001 group=dteam001 jobname=cream_000000001"
            + " queue=q exec_host=wn1/0 end=1 Exit_status=3\n";

    @TempDir
    Path dir;

    private static Lookup sought(int number, String id) {
        return new Lookup(String.format("cream_%09d", number), "dteam001", id);
    }

    private LrmsJob one(AccountingLog log, Lookup lookups) {
        return log.find(List.of(lookups)).get(lookups.tag());
    }

    private void append(String day, String text) throws IOException {
        Files.writeString(dir.resolve(day), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void reportsTheEndOfEveryKindOfJob() throws IOException {
        append("20261120", Samples.text("accounting.txt"));
        AccountingLog log = new AccountingLog(dir, 1000);
        assertThat(one(log, sought(13, null)).exitCode()).isZero();
        assertThat(one(log, sought(14, "14.torque.example")))
                .isEqualTo(new LrmsJob("14.torque.example", "cream_000000014", State.DONE, 3, null, "wn1")
                        .using(new Usage(null, Duration.ofSeconds(1), 1, null, Usage.Source.BATCH_SYSTEM)));
        assertThat(one(log, sought(15, null)).state()).isEqualTo(State.CANCELLED);
        assertThat(one(log, sought(16, null)).state()).isEqualTo(State.FAILED);
        assertThat(one(log, sought(18, null)).state()).isEqualTo(State.CANCELLED);
        // deleted while queued: only the id is there
        assertThat(one(log, sought(10, "10.torque.example")).state()).isEqualTo(State.CANCELLED);
        assertThat(one(log, sought(10, null))).isNull();
        assertThat(one(log, sought(77, "77.torque.example"))).isNull();
    }

    @Test
    void aLineThatIsBeingWrittenIsReadWhenItIsWhole() throws IOException {
        AccountingLog log = new AccountingLog(dir, 1000);
        append("20261120", START + END.substring(0, 50));
        assertThat(one(log, sought(1, "1.t")).state()).isEqualTo(State.RUNNING);
        append("20261120", END.substring(50));
        assertThat(one(log, sought(1, "1.t")).exitCode()).isEqualTo(3);
    }

    @Test
    void continuesAfterMidnightAndInANewProcess() throws IOException {
        AccountingLog log = new AccountingLog(dir, 1000);
        append("20261120", START);
        append("notes", END);
        assertThat(one(log, sought(1, null)).state()).isEqualTo(State.RUNNING);
        append("20261121", END);
        assertThat(one(log, sought(1, null)).state()).isEqualTo(State.DONE);
        assertThat(one(new AccountingLog(dir, 1000), sought(1, null)).exitCode())
                .isEqualTo(3);
    }

    @Test
    void aJobOfAnotherAccountIsNotTaken() throws IOException {
        append(
                "20261120",
                START.replace("user=dteam001", "user=mallory") + END.replace("user=dteam001", "user=mallory"));
        assertThat(one(new AccountingLog(dir, 1000), sought(1, null))).isNull();
        assertThat(one(new AccountingLog(dir, 1000), sought(1, "1.t"))).isNull();
    }

    private static final String DELETED = "11/20/2026 22:29:30;D;1.t;requestor=root@t\n";
    private static final String RENAMED = END.replace("cream_000000001", "other");

    @Test
    void aJobThatWasRenamedAndDeletedIsCancelled() throws IOException {
        append("20261120", START + DELETED + RENAMED.replace("Exit_status=3", "Exit_status=271"));
        AccountingLog log = new AccountingLog(dir, 1000);
        assertThat(one(log, sought(1, "1.t"))).isNotNull();
        assertThat(one(log, sought(1, "1.t")).state()).isEqualTo(State.CANCELLED);
        assertThat(one(log, sought(1, null)).state()).isEqualTo(State.CANCELLED);
    }

    @Test
    void aJobThatWasRenamedHasItsEnd() throws IOException {
        append("20261120", START);
        AccountingLog log = new AccountingLog(dir, 1000);
        assertThat(one(log, sought(1, "1.t")).state()).isEqualTo(State.RUNNING);
        append("20261120", START.replace("cream_000000001", "other").replace("wn1", "wn2"));
        append("20261121", RENAMED.replace("wn1", "wn2"));
        assertThat(one(log, sought(1, "1.t"))).isNotNull();
        assertThat(one(log, sought(1, "1.t")).exitCode()).isEqualTo(3);
        assertThat(one(log, sought(1, null)).workerNode()).isEqualTo("wn2");
    }

    /** A server that lost its jobs gives their ids again. */
    @Test
    void theSameIdOfAnotherOwnerIsAnotherJob() throws IOException {
        AccountingLog log = new AccountingLog(dir, 1000);
        append("20261120", START + RENAMED.replace("dteam001", "mallory"));
        assertThat(one(log, sought(1, "1.t"))).isNull();
        append("20261121", START + START.replace("dteam001", "mallory"));
        assertThat(one(log, sought(1, "1.t")))
                .as("the tag is the name of theirs")
                .isNull();
        append("20261121", RENAMED);
        assertThat(one(log, sought(1, "1.t")))
                .as("after a job with the tag as its name")
                .isNull();
        assertThat(one(log, sought(1, null))).isNull();
    }

    @Test
    void theOldestIsForgotten() throws IOException {
        append("20261120", START + START.replace("1.t", "2.t").replace("000001 ", "000002 "));
        AccountingLog log = new AccountingLog(dir, 1);
        assertThat(one(log, sought(1, null))).isNull();
        assertThat(one(log, sought(2, null))).isNotNull();
    }

    @Test
    void aDirectoryThatCannotBeReadIsAnError() {
        AccountingLog log = new AccountingLog(dir.resolve("absent"), 10);
        assertThatThrownBy(() -> log.find(List.of(sought(1, null)))).isInstanceOf(LrmsException.class);
    }

    private static final String USED = END.strip() + " resources_used.cput=00:01:01 resources_used.mem=2048kb"
            + " resources_used.walltime=00:02:00\n";

    private AccountingTail tail(AtomicReference<Instant> now) {
        return new AccountingTail(dir, ((InstantSource) () -> now.get()).withZone(ZoneOffset.UTC));
    }

    @Test
    void whatEndedLatelyIsShownForAWhile() throws IOException {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-20T22:30:00Z"));
        append("20261119", USED.replace("1.t", "9.t"));
        append("20261120", START + USED);
        AccountingTail tail = tail(now);
        Usage usage = new Usage(Duration.ofSeconds(61), Duration.ofMinutes(2), 1, 2048L, Usage.Source.BATCH_SYSTEM);
        LrmsJob first = new LrmsJob("1.t", "cream_000000001", State.DONE, 3, null, "wn1", usage);
        assertThat(tail.ended()).as("of the newest day").containsExactly(first);
        append("20261120", USED.replace("1.t", "2.t").substring(0, 90));
        now.set(now.get().plusSeconds(200));
        assertThat(tail.ended()).containsExactly(first);
        append("20261120", USED.replace("1.t", "2.t").substring(90));
        append("20261121", USED.replace("1.t", "3.t") + USED.replace("cream_", "other_"));
        assertThat(tail.ended()).extracting(LrmsJob::lrmsId).containsExactly("1.t", "2.t", "3.t");
        now.set(now.get().plusSeconds(101));
        assertThat(tail.ended()).extracting(LrmsJob::lrmsId).containsExactly("2.t", "3.t");
        now.set(now.get().plus(AccountingTail.SHOWN));
        assertThat(tail.ended()).isEmpty();
    }

    @Test
    void aJobThatWasRenamedIsShownWithItsTag() throws IOException {
        append("20261120", START + RENAMED + (START + DELETED + RENAMED).replace("1.t", "2.t"));
        assertThat(new AccountingTail(dir, Clock.systemUTC()).ended())
                .extracting(LrmsJob::lrmsId, LrmsJob::tag, LrmsJob::state, LrmsJob::exitCode)
                .containsExactly(
                        tuple("1.t", "cream_000000001", State.DONE, 3),
                        tuple("2.t", "cream_000000001", State.CANCELLED, null));
    }

    @Test
    void aJobThatWasRenamedAndStartedAgainIsShownWithItsTag() throws IOException {
        append("20261120", START + START.replace("cream_000000001", "other") + RENAMED);
        assertThat(new AccountingTail(dir, Clock.systemUTC()).ended())
                .extracting(LrmsJob::tag)
                .containsExactly("cream_000000001");
    }

    @Test
    void theSameIdOfAnotherOwnerIsNotShown() throws IOException {
        String theirs = START.replace("dteam001", "mallory");
        append("20261120", START + RENAMED.replace("dteam001", "mallory") + RENAMED);
        append("20261120", (theirs + RENAMED).replace("1.t", "2.t"));
        append("20261120", (START + theirs.replace("cream_", "other_") + RENAMED).replace("1.t", "3.t"));
        assertThat(new AccountingTail(dir, Clock.systemUTC()).ended()).isEmpty();
    }

    @Test
    void aLogThatCannotBeReadFailsNoPoll() {
        AccountingTail tail = new AccountingTail(dir.resolve("absent"), Clock.systemUTC());
        assertThat(tail.ended()).isEmpty();
    }

    /** The server writes what was used last, behind all that a user can fill. */
    @Test
    void aValueOfTheUsersIsNoUsage() {
        String forged = USED.replace("queue=q", "queue=q account=x resources_used.cput=999999:00:00");
        AccountingRecord record = AccountingRecord.parse(forged.strip()).orElseThrow();
        assertThat(record.usage().cpu()).isEqualTo(Duration.ofSeconds(61));
    }

    @Property
    void anyLineIsReadOrSkipped(@ForAll String rest, @ForAll char type) {
        AccountingRecord.parse("11/20/2026 22:28:36;" + type + ";1.t;" + rest)
                .ifPresent(record -> assertThat(record.after(null)).isNotNull());
        assertThat(AccountingRecord.parse(rest)).isEmpty();
    }
}
