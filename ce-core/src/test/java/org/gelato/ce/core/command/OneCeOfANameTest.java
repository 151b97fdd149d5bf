package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.base.PidNamespace;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A name of a node has one process, also where process numbers say nothing of another: in containers and on machines of one name. */
class OneCeOfANameTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final String NAME = "ce1";
    private static final String ELSEWHERE = "another boot pid:[4026531836]";
    private static final Caller ALICE = TestCe.caller("Alice");

    private final AtomicLong nanos = new AtomicLong();
    private final TestCe ce = new TestCe(DB.database(), new FakeLrms(), "other");

    @BeforeEach
    void noNodes() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM node"));
    }

    @AfterEach
    void close() {
        ce.close();
        DB.database().inTransaction(h -> h.execute("DROP TRIGGER IF EXISTS first"));
    }

    private NodeClaims enter(Runnable pause) {
        NodeClaims.Work work = new NodeClaims.Work(NAME, null);
        return new NodeClaims(DB.database(), new NodeStore(), ce.commands, Clock.systemUTC(), work, nanos::get, () -> {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            pause.run();
        });
    }

    private static int holder(String namespace, long pid, Instant started, Instant beat) {
        return DB.database()
                .inTransaction(h ->
                        new NodeStore().register(h, NAME, new NodeStore.Running(pid, namespace, started), beat, true));
    }

    private static void beats(int node, Instant at) {
        DB.database().inTransaction(h -> new NodeStore().beat(h, node, at));
    }

    private static int nodes() {
        return DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM node")
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void oneThatBeatsInAnotherContainerIsLeftItsName() {
        Instant now = Instant.now();
        int other = holder(ELSEWHERE, ProcessHandle.current().pid(), now, now);
        assertThatThrownBy(() -> enter(() -> beats(other, now.plusSeconds(1))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("gelato.node " + NAME)
                .hasMessageContaining("another container or machine");
        assertThat(nodes()).isOne();
    }

    @Test
    void oneThatIsSilentForAMinuteLosesItsNameAndClaims() {
        int other = holder(ELSEWHERE, 1, Instant.now(), Instant.now());
        ce.submit(ALICE);
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE command SET state = 2, node_id = ?, claim_expires_at = ?", other, "2100-01-01"));
        NodeClaims own = enter(() -> {});
        assertThat(nanos.get()).isEqualTo(NodeClaims.CLAIM.toNanos());
        assertThat(nodes()).isOne();
        assertThat(own.node()).isNotEqualTo(other);
        int free = DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM command WHERE node_id IS NULL AND claim_expires_at IS NULL")
                        .mapTo(Integer.class)
                        .one());
        assertThat(free).isOne();
    }

    @Test
    void oneThatIsSilentForLongIsNotWaitedFor() {
        holder(ELSEWHERE, 1, Instant.now(), Instant.now().minus(1, ChronoUnit.HOURS));
        enter(() -> {});
        assertThat(nanos.get()).isZero();
        assertThat(nodes()).isOne();
    }

    @Test
    void aDeadProcessOfThisHostIsNotWaitedFor() {
        // beyond the kernel's numbers
        holder(PidNamespace.own(), (1L << 22) + 1, Instant.EPOCH, Instant.now());
        enter(() -> {});
        assertThat(nanos.get()).isZero();
        assertThat(nodes()).isOne();
    }

    @Test
    void oneThatLostItsNameHasItAgainWhenTheOtherDies() {
        NodeClaims own = enter(() -> {});
        DB.database().inTransaction(h -> h.execute("DELETE FROM node"));
        Instant now = Instant.now();
        int other = holder(ELSEWHERE, 1, now, now);
        own.beat();
        beats(other, now.plusSeconds(20));
        own.beat();
        assertThat(own.lost()).isNotNull();
        own.beat();
        nanos.addAndGet(NodeClaims.CLAIM.toNanos());
        own.beat();
        assertThat(own.lost()).isNull();
    }

    @Test
    void aLiveProcessOfThisHostIsLeftItsName() {
        ProcessHandle first = ProcessHandle.of(1).orElseThrow();
        holder(PidNamespace.own(), 1, first.info().startInstant().orElseThrow(), Instant.now());
        assertThatThrownBy(() -> enter(() -> {}))
                .hasMessageContaining("process 1:")
                .hasMessageContaining("a gelato.node of its own");
    }

    /** As where the other's row came between the look and the entry. */
    @Test
    void whomTheKeyDecidedAgainstLooksAgain() {
        DB.database()
                .inTransaction(
                        h -> h.execute(
                                "CREATE TRIGGER first BEFORE INSERT ON node FOR EACH ROW SIGNAL SQLSTATE '23000' SET MYSQL_ERRNO = 1062"));
        NodeClaims own = enter(() -> DB.database().inTransaction(h -> h.execute("DROP TRIGGER first")));
        assertThat(nanos.get()).isEqualTo(Duration.ofSeconds(1).toNanos());
        assertThat(own.lost()).isNull();
        assertThat(nodes()).isOne();
    }

    @Test
    void theKeyOfTheDatabaseDecidesBetweenTwoThatStartTogether() {
        holder(ELSEWHERE, 1, Instant.now(), Instant.now());
        assertThatThrownBy(() -> holder("a third", 1, Instant.now(), Instant.now()))
                .hasRootCauseInstanceOf(SQLException.class);
    }

    @Test
    void oneThatLostItsNameExecutesNothingUntilItHasItAgain() {
        NodeClaims own = enter(() -> {});
        assertThat(own.lost()).isNull();
        DB.database().inTransaction(h -> h.execute("DELETE FROM node"));
        Instant now = Instant.now();
        int other = holder(ELSEWHERE, 1, now, now);
        own.beat();
        assertThat(own.lost()).contains("gelato.node " + NAME);
        beats(other, now.plusSeconds(20));
        own.beat();
        assertThat(own.lost()).contains("another container or machine");
        DB.database().inTransaction(h -> h.execute("DELETE FROM node"));
        own.beat();
        assertThat(own.lost()).isNull();
        assertThat(own.node()).isNotEqualTo(other);
    }
}
