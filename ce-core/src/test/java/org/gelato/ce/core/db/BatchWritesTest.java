package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

    private final BatchWrites batches = new BatchWrites();
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

    private void write(Consumer<List<Integer>> work) {
        batches.write(HUNDRED, work, i -> "number " + i, (i, reason) -> parked.add(i + ": " + reason));
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
        "70100, 1969",
        "HY000, 3024",
        "HY000, 3169",
        "HY000, 4031", // ended by others
        "HY000, 1290",
        "25006, 1792",
        "HY000, 1836",
        "HY000, 1874",
        "HY000, 1881",
        "HY000, 3032",
        "HY000, 3168", // read only
        "HY000, 1205",
        "40001, 1213",
        "HY000, 1020", // locks
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
