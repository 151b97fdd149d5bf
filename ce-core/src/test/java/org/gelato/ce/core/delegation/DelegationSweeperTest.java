package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.db.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DelegationSweeperTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final DelegationBench bench = new DelegationBench(DB.database());

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void expiredDelegationsEndLikeDestroyedOnes() {
        bench.delegate("short1", Duration.ofMinutes(10));
        bench.delegate("short2", Duration.ofMinutes(20));
        bench.delegate("long", Duration.ofHours(12));
        List<String> rows = List.of(
                bench.ref("short1").rowId() + " job cancelled because the related delegation has expired",
                bench.ref("short2").rowId() + " job cancelled because the related delegation has expired");
        assertThat(bench.service.sweeper().sweep()).isZero();

        bench.clock.advance(Duration.ofMinutes(20));
        assertThat(bench.service.sweeper().sweep()).isEqualTo(2);

        assertThat(bench.cancelled).containsExactlyElementsOf(rows);
        assertThat(bench.accounts.files()).containsOnlyKeys(bench.ref("long").proxyFile());
        assertThat(bench.count("delegation")).isEqualTo(1);
        assertThat(bench.count("proxy_file")).isEqualTo(1);
    }

    @Test
    void oneDelegationWhoseJobsCanNotBeCancelledHoldsNobodyUp() {
        bench.delegate("stuck", Duration.ofMinutes(10));
        bench.delegate("free", Duration.ofMinutes(10));
        int stuck = bench.ref("stuck").rowId();
        bench.end = (id, reason) -> {
            if (id == stuck) {
                throw new IllegalStateException("not now");
            }
        };
        bench.clock.advance(Duration.ofMinutes(10));
        assertThat(bench.service.sweeper().sweep()).isEqualTo(1);
        assertThat(bench.ref("stuck")).isNotNull();
        bench.end = (id, reason) -> {};
        assertThat(bench.service.sweeper().sweep()).isEqualTo(1);
    }

    @Test
    void aDelegationRenewedWhileItIsSweptStaysWithItsFile() {
        bench.delegate("d1", Duration.ofMinutes(10));
        bench.clock.advance(Duration.ofMinutes(10));
        bench.end = (id, reason) -> bench.renew("d1", Duration.ofHours(1));
        bench.accounts.files().clear();
        assertThat(bench.service.sweeper().sweep()).isZero();
        assertThat(bench.fileOf("d1").get(1).getPublicKey()).isEqualTo(bench.storedKey("d1"));
        assertThat(bench.marked("d1")).isTrue();
    }

    @Test
    void aRenewedFileTheSweepRemovedIsWrittenAgain() {
        bench.delegate("d1", Duration.ofMinutes(10));
        bench.clock.advance(Duration.ofMinutes(10));
        bench.end = (id, reason) -> {
            bench.renew("d1", Duration.ofHours(1));
            bench.accounts.files().clear(); // the removal arrives late
        };
        bench.service.sweeper().sweep();
        assertThat(bench.accounts.files()).containsOnlyKeys(bench.ref("d1").proxyFile());
        assertThat(bench.marked("d1")).isTrue();
    }

    @Test
    void requestsOlderThanADayAreForgotten() {
        bench.service.getProxyReq(bench.caller, "old");
        bench.clock.advance(Duration.ofHours(23));
        bench.service.getProxyReq(bench.caller, "new");
        bench.service.sweeper().sweep();
        assertThat(bench.count("delegation_request")).isEqualTo(2);
        bench.clock.advance(Duration.ofHours(1).plusSeconds(1));
        bench.service.sweeper().sweep();
        assertThat(bench.count("delegation_request")).isEqualTo(1);
    }
}
