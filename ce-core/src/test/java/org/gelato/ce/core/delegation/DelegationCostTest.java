package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a delegation costs the database: HTCondor makes one for each job (docs/developer/protocol/arc-rest.md, trap 13). */
class DelegationCostTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final Map<String, List<Long>> costs = new LinkedHashMap<>();
    private Database own;
    private DelegationBench bench;

    @BeforeEach
    void open() {
        own = new Database(DB.config());
        bench = new DelegationBench(own);
    }

    @AfterEach
    void close() {
        bench.close();
        own.close();
    }

    private void step(String name, Runnable step) {
        long statements = own.statements();
        long commits = own.commits();
        step.run();
        costs.put(name, List.of(own.statements() - statements, own.commits() - commits));
    }

    @Test
    void aDelegationKeepsItsBudget() {
        AtomicReference<Delegations.NewProxyReq> made = new AtomicReference<>();
        AtomicReference<String> renewed = new AtomicReference<>();
        for (int i = 0; i < 2; i++) { // What is read once is known the second time.
            step("new", () -> made.set(bench.service.newUnnamedReq(bench.caller)));
            String id = made.get().delegationId();
            String chain = bench.signed(made.get().proxyRequest(), Duration.ofHours(1));
            step("PUT", () -> bench.service.putProxy(bench.caller, id, chain));
            step("renew", () -> renewed.set(bench.service.renewUnnamedReq(bench.caller, id)));
            String longer = bench.signed(renewed.get(), Duration.ofHours(2));
            step("PUT again", () -> bench.service.putProxy(bench.caller, id, longer));
        }
        // docs/developer/performance.md has the sums.
        assertThat(costs)
                .containsExactly(
                        entry("new", List.of(1L, 1L)),
                        entry("PUT", List.of(5L, 2L)),
                        entry("renew", List.of(1L, 1L)),
                        entry("PUT again", List.of(3L, 2L)));
    }
}
