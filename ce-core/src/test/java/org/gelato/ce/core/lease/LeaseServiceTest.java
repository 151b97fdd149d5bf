package org.gelato.ce.core.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.gelato.ce.core.audit.RecordedTrail;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeaseServiceTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Caller ALICE = TestCe.caller("Alice");
    private static final Caller BOB = TestCe.caller("Bob");

    private final RecordedTrail trail = new RecordedTrail();
    private final LeaseService leases = at(NOW);

    private LeaseService at(Instant now) {
        return new LeaseService(
                DB.database(),
                new OwnerStore(DB.database()),
                Clock.fixed(now, ZoneOffset.UTC),
                Duration.ofHours(10),
                trail);
    }

    @BeforeEach
    void forget() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM lease"));
    }

    @Test
    void whatIsDoneToALeaseIsAuditedAndWhatIsRefusedIsNot() {
        leases.set(ALICE, "L1", NOW.plusSeconds(60));
        assertThatThrownBy(() -> leases.set(ALICE, "L2", NOW))
                .hasFieldOrPropertyWithValue("code", FaultCode.LEASE_REFUSED);
        assertThatThrownBy(() -> leases.delete(BOB, "L1")).hasFieldOrPropertyWithValue("code", FaultCode.LEASE_UNKNOWN);
        leases.get(ALICE, "L1");
        leases.list(ALICE);
        leases.delete(ALICE, "L1");
        assertThat(trail.texts())
                .containsExactly("lease-set {lease=L1, target=until 2026-01-02T03:05:05Z}", "lease-delete {lease=L1}");
        assertThat(trail.acts()).allSatisfy(act -> assertThat(act.caller()).isEqualTo(ALICE));
    }

    @Test
    void aLeaseIsGrantedAndRenewed() {
        Lease first = leases.set(ALICE, "L1", NOW.plusSeconds(60));
        assertThat(first).isEqualTo(new Lease("L1", NOW.plusSeconds(60)));
        leases.set(ALICE, "L1", NOW.plusSeconds(120));
        assertThat(leases.get(ALICE, "L1").until()).isEqualTo(NOW.plusSeconds(120));
        assertThat(leases.list(ALICE)).hasSize(1);
    }

    @Test
    void aLongLeaseIsCut() {
        assertThat(leases.set(ALICE, "L1", Instant.parse("9999-12-31T23:59:59Z"))
                        .until())
                .isEqualTo(NOW.plus(Duration.ofHours(10)));
    }

    @Test
    void aLeaseInThePastIsRefused() {
        assertThatThrownBy(() -> leases.set(ALICE, "L1", NOW)).isInstanceOfSatisfying(ServiceException.class, e -> {
            assertThat(e).hasMessage("CommandException occured");
            assertThat(e.faultCause()).isEqualTo("lease time (2026-01-02T03:04:05Z) expired!");
        });
        assertThat(leases.list(ALICE)).isEmpty();
    }

    @Test
    void othersDoNotSeeIt() {
        leases.set(ALICE, "L1", NOW.plusSeconds(60));
        assertUnknown(() -> leases.get(BOB, "L1"));
        assertUnknown(() -> leases.delete(BOB, "L1"));
        assertThat(leases.list(BOB)).isEmpty();
        leases.set(BOB, "L1", NOW.plusSeconds(90));
        assertThat(leases.get(ALICE, "L1").until()).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    void onceOverItReadsAsUnknown() {
        leases.set(ALICE, "L1", NOW.plusSeconds(60));
        LeaseService later = at(NOW.plusSeconds(60));
        assertUnknown(() -> later.get(ALICE, "L1"));
        assertUnknown(() -> later.delete(ALICE, "L1"));
        assertThat(later.list(ALICE)).isEmpty();
    }

    @Test
    void aDeletedLeaseIsGone() {
        leases.set(ALICE, "L1", NOW.plusSeconds(60));
        leases.set(ALICE, "L2", NOW.plusSeconds(60));
        leases.delete(ALICE, "L1");
        assertThat(leases.list(ALICE)).extracting(Lease::id).containsExactly("L2");
        assertUnknown(() -> leases.delete(ALICE, "L1"));
    }

    private static void assertUnknown(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(ServiceException.class, e -> {
            assertThat(e).hasMessage("lease L1 not found!");
            assertThat(e.faultCause()).isEqualTo("N/A");
        });
    }

    @Test
    void badIdsAreNamed() {
        for (String none : new String[] {null, "", "  "}) {
            assertThatThrownBy(() -> leases.set(ALICE, none, NOW.plusSeconds(1)))
                    .hasFieldOrPropertyWithValue("code", FaultCode.INVALID_ARGUMENT)
                    .hasMessage("leaseId not specified!");
            assertThatThrownBy(() -> leases.get(ALICE, none)).hasMessage("leaseId not specified!");
            assertThatThrownBy(() -> leases.delete(ALICE, none)).hasMessage("leaseId not specified!");
        }
        assertThatThrownBy(() -> leases.set(ALICE, "L1", null)).hasMessage("leaseTime not specified!");
        assertThatThrownBy(() -> leases.set(ALICE, "x".repeat(256), NOW.plusSeconds(1)))
                .hasFieldOrPropertyWithValue("code", FaultCode.INVALID_ARGUMENT)
                .hasMessage("leaseId: 256 characters, at most 255 are accepted");
        String longest = "\ud83d\ude00".repeat(127);
        leases.set(ALICE, longest, NOW.plusSeconds(1));
        assertThat(leases.get(ALICE, longest).id()).isEqualTo(longest);
    }

    @Test
    void anOwnerMayNotFillTheTable() {
        leases.set(ALICE, "first", NOW.plusSeconds(1));
        DB.database()
                .inTransaction(h -> h.execute("INSERT INTO lease (owner_id, client_id, expires_at)"
                        + " WITH RECURSIVE s AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM s WHERE seq < "
                        + (LeaseService.MAX - 1) + ")"
                        + " SELECT l.owner_id, CONCAT('f', s.seq), l.expires_at FROM lease l JOIN s"));
        assertThatThrownBy(() -> leases.set(ALICE, "one more", NOW.plusSeconds(1)))
                .isInstanceOfSatisfying(
                        ServiceException.class,
                        e -> assertThat(e.faultCause()).isEqualTo("there are 1000 leases, no more are kept"));
        leases.set(ALICE, "first", NOW.plusSeconds(2));
        leases.set(BOB, "one more", NOW.plusSeconds(1));
        assertThat(List.of(leases.get(BOB, "one more").id())).containsExactly("one more");
    }
}
