package org.gelato.ce.benchmarks;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobFilter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Questions to a CE that keeps many jobs: how many are active, and how named ones stand; ours and in the old forms. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StoredBenchmark {
    /** Jobs in the schema. */
    @Param({"5000", "70000", "200000"})
    public int stored;

    private final OldFormsStore old = new OldFormsStore();
    private final Caller caller = Scene.caller();
    private Database database;
    private CoreParts parts;
    private int owner;

    /** The jobs a status call names: the latest of one owner, as a client polls them. */
    @State(Scope.Benchmark)
    public static class Named {
        @Param({"1", "100", "5000"})
        public int ids;

        private List<Integer> rows;
        private JobFilter filter;

        @Setup(Level.Trial)
        public void name(StoredBenchmark bench) {
            rows = latest(bench.stored, ids);
            filter = JobFilter.ofIds(bench.parts.ids(rows));
        }
    }

    /** The rows of the latest jobs. */
    static List<Integer> latest(int stored, int count) {
        return IntStream.rangeClosed(stored - count + 1, stored).boxed().toList();
    }

    /** The schema that holds so many jobs. */
    static String schema(int stored) {
        return "bench_stored_" + stored;
    }

    @Setup(Level.Trial)
    public void open() {
        database = BenchSite.open(schema(stored), 2);
        parts = new CoreParts(database);
        owner = parts.owner();
    }

    @TearDown(Level.Trial)
    public void close() {
        parts.close();
        database.close();
    }

    @Benchmark
    public long countOurs() {
        return database.read(parts.store()::countActive);
    }

    @Benchmark
    public long countSubSelect() {
        return database.read(h -> old.active(h, OldFormsStore.Form.SUB_SELECT));
    }

    @Benchmark
    public long countAntiJoin() {
        return database.read(h -> old.active(h, OldFormsStore.Form.ANTI_JOIN));
    }

    @Benchmark
    public Object statusOurs(Named named) {
        return parts.jobs().queries().status(caller, named.filter);
    }

    @Benchmark
    public Object statusSubSelect(Named named) {
        return database.read(h -> old.states(h, OldFormsStore.Form.SUB_SELECT, owner, named.rows));
    }

    @Benchmark
    public Object statusAntiJoin(Named named) {
        return database.read(h -> old.states(h, OldFormsStore.Form.ANTI_JOIN, owner, named.rows));
    }
}
