package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.delegation.DelegationGrid.NOW;
import static org.gelato.ce.core.delegation.DelegationGrid.USER;

import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.delegation.KeyPool.RequestKey;
import org.gelato.ce.core.fixture.TestClock;
import org.gelato.ce.core.identity.Identity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Keys that new delegations of one owner share. */
class SharedKeysTest {
    private static final Duration REUSE = Duration.ofMinutes(10);

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final TestClock clock = new TestClock(NOW);
    private final List<KeyPair> made = new ArrayList<>();
    private final KeyPool pool = new KeyPool(1, () -> {
        KeyPair next = DelegationBench.nextKey();
        made.add(next);
        return next;
    });

    private static Identity owner(String... fqans) {
        return DelegationBench.caller(USER, "dteam001", fqans).identity();
    }

    @Test
    void anOwnersNewDelegationsShareAKeyForAWhile() {
        SharedKeys keys = new SharedKeys(pool, REUSE, clock);
        RequestKey first = keys.forNew(owner("/dteam"));
        clock.advance(REUSE.minusSeconds(1));
        assertThat(keys.forNew(owner("/dteam"))).isSameAs(first);
        assertThat(made).hasSize(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(keys.forNew(owner("/dteam"))).isNotSameAs(first);
    }

    @Test
    void anotherGroupOrUserGetsAnotherKey() {
        SharedKeys keys = new SharedKeys(pool, REUSE, clock);
        RequestKey first = keys.forNew(owner("/dteam"));
        assertThat(keys.forNew(owner("/dteam/x")).pair()).isNotEqualTo(first.pair());
        assertThat(keys.forNew(owner()).pair()).isNotEqualTo(first.pair());
    }

    @Test
    void withoutReuseEachHasItsOwn() {
        SharedKeys keys = new SharedKeys(pool, Duration.ZERO, clock);
        assertThat(keys.forNew(owner("/dteam"))).isNotSameAs(keys.forNew(owner("/dteam")));
    }

    @Test
    void ofManyOwnersTheOldestAreForgotten() {
        SharedKeys keys = new SharedKeys(pool, REUSE, clock, 5);
        RequestKey first = keys.forNew(owner("/dteam"));
        for (int i = 0; i < 5; i++) {
            keys.forNew(owner("/dteam/" + i));
        }
        assertThat(keys.forNew(owner("/dteam"))).isNotSameAs(first);
    }

    /** As HTCondor has it: a delegation for each job. */
    @Test
    void manyDelegationsOfAnOwnerNeedOneKeyAndARenewalAnother() throws Exception {
        try (DelegationBench bench = new DelegationBench(DB.database())) {
            bench.reuse = REUSE;
            DelegationService service = bench.start();
            List<String> requests = new ArrayList<>();
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Delegations.NewProxyReq request = service.newUnnamedReq(bench.caller);
                requests.add(request.proxyRequest());
                ids.add(request.delegationId());
                service.putProxy(
                        bench.caller,
                        request.delegationId(),
                        bench.signed(request.proxyRequest(), Duration.ofHours(2)));
            }
            assertThat(requests).containsOnly(requests.get(0));
            assertThat(ids).doesNotHaveDuplicates();
            assertThat(service.renewUnnamedReq(bench.caller, ids.get(0))).isNotEqualTo(requests.get(0));
        }
    }
}
