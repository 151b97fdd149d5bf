package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchWritesTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final List<Integer> HUNDRED =
            IntStream.rangeClosed(1, 100).boxed().toList();

    private final AtomicLong now = new AtomicLong();
    private final BatchWrites batches = new BatchWrites(now::get);
    private final List<Integer> written = new ArrayList<>();
    private final List<String> parked = new ArrayList<>();
    private int tries;

    private static RuntimeException failure(SQLException cause) {
        return new UnableToExecuteStatementException("[arguments: a secret]", cause, null);
    }

    private Consumer<List<Integer>> failingFor(Set<Integer> members, RuntimeException with) {
        return part -> {
            tries++;
            if (part.stream().anyMatch(members::contains)) {
                throw with;
            }
            written.addAll(part);
        };
    }

    private BatchWrites.Held<Integer> write(Consumer<List<Integer>> work) {
        return batches.write(HUNDRED, work, i -> "number " + i, (i, reason) -> parked.add(i + ": " + reason));
    }

    @Test
    void allButTheRejectedAreWrittenInTheirOrder() {
        write(failingFor(Set.of(1, 42, 100), failure(new SQLException("Data too long", "22001", 1406))));
        assertThat(parked).containsExactly("1: Data too long", "42: Data too long", "100: Data too long");
        assertThat(written).hasSize(97).isSorted().doesNotContain(1, 42, 100);
        assertThat(tries).as("halves, not members").isLessThan(50);
        assertThat(batches.rejected()).isEqualTo(3);
    }

    @Test
    void whatNothingFailsForIsOneTry() {
        write(failingFor(Set.of(), null));
        assertThat(written).isEqualTo(HUNDRED);
        assertThat(tries).isOne();
    }

    @Test
    void aDefectOfOneMemberIsItsOwn() {
        write(failingFor(Set.of(7), new IllegalStateException("a defect")));
        assertThat(parked).containsExactly("7: a defect");
        assertThat(written).hasSize(99);
    }

    @ParameterizedTest
    @CsvSource({
        "08S01, 0",
        "08000, 0",
        "08S01, 1053",
        "08S01, 1158",
        "08S01, 1159",
        "08S01, 1160",
        "08S01, 1161", // connection, shutdown
        "70100, 1317",
        "70100, 1927",
        "HY000, 3169",
        "HY000, 4031", // ended by others
        "HY000, 1290",
        "25006, 1792",
        "HY000, 1836",
        "HY000, 1874",
        "HY000, 1881",
        "HY000, 3032",
        "HY000, 3168", // read only
        "08004, 1040",
        "42000, 1203",
        "42000, 1226",
        "HY000, 1637", // too many connections or transactions
        "08S01, 1047",
        "HY000, 1180",
        "HY000, 3100",
        "40000, 3101", // clusters
        "HY000, 1021",
        "HY000, 1114",
        "HY000, 1026",
        "HY000, 1598",
        "HY000, 1878", // disk
        "HY001, 1037",
        "HY001, 1038",
        "HY000, 1041",
        "HY000, 1135" // memory, threads
    })
    void aDatabaseThatIsAwayOrBusyRejectsNothing(String state, int code) {
        RuntimeException e = failure(new SQLException("not now", state, code));
        assertThatThrownBy(() -> write(failingFor(Set.of(7), e))).isSameAs(e);
        assertThat(tries).isOne();
        assertThat(parked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "HY000, 1205", // as the server sends it
        "40001, 1205", // as the driver shows it
        "40001, 1213",
        "HY000, 1020",
        "HY000, 1206",
        "70100, 1969",
        "HY000, 3024"
    })
    void aMemberWhoseRowsOthersHoldWaitsAloneWhileTheRestIsWritten(String state, int code) {
        RuntimeException e = failure(new SQLException("Lock wait timeout exceeded", state, code));
        assertThat(Database.isPassing(e)).isTrue();
        assertThat(write(failingFor(Set.of(42), e)).members()).containsExactly(42);
        assertThat(written).hasSize(99).isSorted().doesNotContain(42);
        assertThat(tries).isLessThan(20);
        assertThat(parked).isEmpty();
        assertThat(batches.rejected()).isZero();

        tries = 0;
        BatchWrites.Held<Integer> second = write(failingFor(Set.of(42), e));
        assertThat(second.members()).containsExactly(42);
        assertThat(tries).as("it is not tried before its time").isOne();
        assertThatThrownBy(second::rethrow)
                .satisfies(why -> assertThat(Database.isPassing(why)).isTrue())
                .hasMessageContaining("Lock wait timeout exceeded");

        now.addAndGet(Duration.ofSeconds(2).toNanos());
        tries = 0;
        write(failingFor(Set.of(42), e));
        assertThat(tries).as("the others, and it alone").isEqualTo(2);
        now.addAndGet(Duration.ofSeconds(2).toNanos());
        tries = 0;
        write(failingFor(Set.of(42), e));
        assertThat(tries).as("its wait has doubled").isOne();

        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(write(failingFor(Set.of(), null)).members()).isEmpty();
        tries = 0;
        write(failingFor(Set.of(), null));
        assertThat(tries).as("its success forgets it").isOne();
    }

    @Test
    void whatComesBehindAMemberOfTheSameNameWaitsWithIt() {
        RuntimeException e = failure(new SQLException("Lock wait timeout exceeded", "HY000", 1205));
        List<String> members = List.of("b1", "a1", "a2", "b2");
        List<String> done = new ArrayList<>();
        BatchWrites.Held<String> held = batches.write(
                members,
                part -> {
                    if (part.contains("a1")) {
                        throw e;
                    }
                    done.addAll(part);
                },
                m -> m.substring(0, 1),
                (m, reason) -> parked.add(m));
        assertThat(held.members()).containsExactly("a1", "a2");
        assertThat(done).containsExactly("b1", "b2");
        assertThat(parked).isEmpty();
    }

    @Test
    void theSearchForMembersThatWaitIsBounded() {
        RuntimeException e = failure(new SQLException("Lock wait timeout exceeded", "HY000", 1205));
        List<Integer> held = write(part -> {
                    now.addAndGet(Duration.ofSeconds(5).toNanos());
                    tries++;
                    throw e;
                })
                .members();
        assertThat(held).isEqualTo(HUNDRED);
        assertThat(tries).isLessThan(6);
    }

    @ParameterizedTest
    @CsvSource({
        "22001, 1406",
        "23000, 1452",
        "HY000, 1366",
        "42S02, 1146",
        "08S01, 1153",
        "42000, 1064",
        "23000, 1062",
        "22003, 1264"
    })
    void whatLiesAtTheStatementIsNoPassingFault(String state, int code) {
        assertThat(Database.isPassing(failure(new SQLException("no", state, code))))
                .isFalse();
    }

    @Test
    void aPoolWithoutConnectionsAndACommitInDoubtPass() {
        assertThat(Database.isPassing(failure(new SQLTransientConnectionException("timed out"))))
                .isTrue();
        assertThat(Database.isPassing(new CommitInDoubtException(new IllegalStateException())))
                .isTrue();
    }

    @Test
    void aClosedDatabaseRejectsNothing() {
        Database closed = new Database(DB.config());
        closed.close();
        assertThatThrownBy(() -> closed.inTransaction(h -> h.execute("SELECT 1")))
                .satisfies(e -> assertThat(Database.isPassing(e)).isTrue());
    }
}
