package org.gelato.ce.benchmarks;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.RegisterResult;
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

/** Registration of some jobs by one call of one client, behind the SOAP layer. The jobs stay: the tables grow. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RegisterBenchmark {
    static final String SCHEMA = "bench_register";

    /** Jobs in the schema before. */
    static final int STORED = 5000;

    /** Jobs of one call. */
    @Param({"1", "100"})
    public int jobs;

    private final Caller caller = Scene.caller();
    private Database database;
    private CoreParts parts;
    private List<JobDescription> descriptions;

    @Setup(Level.Trial)
    public void open() {
        database = BenchSite.open(SCHEMA, 2);
        parts = new CoreParts(database);
        descriptions = Collections.nCopies(jobs, Scene.description());
    }

    @TearDown(Level.Trial)
    public void close() {
        parts.close();
        database.close();
    }

    @Benchmark
    public List<RegisterResult> register() {
        List<RegisterResult> results = parts.jobs().registration().register(caller, descriptions, null);
        for (RegisterResult result : results) {
            if (result.fault() != null) {
                throw new IllegalStateException("a job was refused: " + result.fault());
            }
        }
        return results;
    }
}
