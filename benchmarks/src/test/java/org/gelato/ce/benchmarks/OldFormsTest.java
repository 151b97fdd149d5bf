package org.gelato.ce.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.JobStatusResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is compared does the same work: on a small database every form returns what the product returns. */
class OldFormsTest {
    private static final int STORED = 700;
    private static final int WAITING = 40;
    private static final int CLAIMERS = 4;

    private static BenchSite site;
    private static Database database;
    private static CoreParts parts;

    @BeforeAll
    static void open() {
        site = BenchSite.open();
        database = site.make("bench_small");
        new FillStore().fill(database, STORED, true);
        parts = new CoreParts(database);
    }

    @AfterAll
    static void close() {
        if (parts != null) {
            parts.close();
        }
        if (database != null) {
            database.close();
        }
        if (site != null) {
            site.close();
        }
    }

    private static Map<Integer, JobState> ours(List<Integer> rows) {
        List<JobStatusResult> results = parts.jobs().queries().status(Scene.caller(), JobFilter.ofIds(parts.ids(rows)));
        Map<Integer, JobState> states = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            if (results.get(i).fault() == null) {
                states.put(rows.get(i), results.get(i).status().state());
            }
        }
        return states;
    }

    @ParameterizedTest
    @EnumSource(OldFormsStore.Form.class)
    void theOldFormsCountAsOursDoes(OldFormsStore.Form form) {
        long counted = database.read(parts.store()::countActive);
        assertThat(counted).isEqualTo(FillStore.ACTIVE);
        assertThat(database.<Long>read(h -> new OldFormsStore().active(h, form)))
                .isEqualTo(counted);
    }

    @ParameterizedTest
    @EnumSource(OldFormsStore.Form.class)
    void theOldFormsTellTheSameStates(OldFormsStore.Form form) {
        List<Integer> rows = IntStream.rangeClosed(1, STORED + 1).boxed().toList();
        Map<Integer, JobState> states = ours(rows);
        assertThat(states).hasSize(STORED);
        Set<JobState> kinds = new HashSet<>(states.values());
        assertThat(kinds).hasSizeGreaterThanOrEqualTo(9);
        assertThat(database.<Map<Integer, JobState>>read(h -> new OldFormsStore().states(h, form, parts.owner(), rows)))
                .isEqualTo(states);
    }

    @Test
    void everyQueueStartsEveryJobOnce() {
        try (Database queues = site.make("bench_queues")) {
            new FillStore().fill(queues, STORED, true);
            QueueStore store = new QueueStore(STORED, WAITING);
            queues.inTransaction(h -> {
                store.makeTables(h);
                return null;
            });
        }
        QueueStore store = new QueueStore(STORED, WAITING);
        try (Database queues = BenchSite.open("bench_queues", 2 * CLAIMERS + 2)) {
            for (QueueBenchmark.Kind kind : QueueBenchmark.Kind.values()) {
                queues.inTransaction(h -> {
                    store.putBack(h);
                    return null;
                });
                assertThat(queues.<Integer>read(store::started)).as("%s", kind).isZero();
                try (Queue queue = kind.open(queues, store, CLAIMERS, WAITING)) {
                    queue.fill();
                    queue.empty();
                }
                assertThat(queues.<Integer>read(store::started)).as("%s", kind).isEqualTo(WAITING);
                assertThat(queues.<Integer>read(store::notDone)).as("%s", kind).isZero();
            }
        }
    }
}
