package org.gelato.ce.benchmarks;

import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.db.Database;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Claim and completion of one start: the time to empty a queue, by its length. After each time it is counted that every
 * job was started once and that no command is left.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class QueueBenchmark {
    static final String SCHEMA = "bench_queue";

    /** Starts in the queue. */
    static final int COMMANDS = 200;

    /** Jobs in the schema, all but those that wait with a command that is done. */
    static final int STORED = 5000;

    private static final int SPARE_CONNECTIONS = 4;

    public enum Kind {
        OURS,
        NAIVE,
        DB_SCHEDULER;

        Queue open(Database database, QueueStore store, int claimers, int commands) {
            return switch (this) {
                case OURS -> new OurQueue(database, store, claimers, commands);
                case NAIVE -> new NaiveQueue(database, store, claimers);
                case DB_SCHEDULER -> new SchedulerQueue(database, store, claimers, commands);
            };
        }
    }

    @Param
    public Kind queue;

    /** How many claim at the same time. */
    @Param({"1", "40"})
    public int claimers;

    private final QueueStore store = new QueueStore(STORED, COMMANDS);
    private Database database;
    private Queue opened;

    @Setup(Level.Trial)
    public void open() {
        // A claimer of ours has a thread that claims and one that completes.
        database = BenchSite.open(SCHEMA, 2 * claimers + SPARE_CONNECTIONS);
        opened = queue.open(database, store, claimers, COMMANDS);
    }

    @Setup(Level.Invocation)
    public void fill() {
        database.inTransaction(h -> {
            store.putBack(h);
            return null;
        });
        opened.fill();
    }

    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public void claimAndComplete() {
        opened.empty();
    }

    @TearDown(Level.Invocation)
    public void check() {
        int started = database.read(store::started);
        int left = database.read(store::notDone);
        if (started != COMMANDS || left != 0) {
            throw new IllegalStateException(
                    started + " of " + COMMANDS + " jobs were started, " + left + " commands are not done");
        }
    }

    @TearDown(Level.Trial)
    public void close() {
        try {
            opened.close();
        } finally {
            database.close();
        }
    }
}
