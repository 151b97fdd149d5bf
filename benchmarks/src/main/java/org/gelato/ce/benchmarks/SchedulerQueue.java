package org.gelato.ce.benchmarks;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.jdbc.MySQL8JdbcCustomization;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.jdl.Jdl;

/**
 * A queue by db-scheduler, polling with lock-and-fetch as its manual advises for throughput. Claimers are threads of one
 * scheduler. It removes what is done, so the command's end needs no update as elsewhere.
 */
final class SchedulerQueue implements Queue {
    private static final double FETCH_BELOW = 1.0;
    private static final double FETCH_UP_TO = 4.0;
    private static final long LOOK = TimeUnit.MICROSECONDS.toNanos(100);

    private final Database database;
    private final QueueStore queue;
    private final int commands;
    private final Clock clock = CoreParts.clock();
    private final AtomicInteger completed = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final OneTimeTask<Void> task;
    private final Scheduler scheduler;

    /** Starts the scheduler; it does nothing before the queue is to be emptied. */
    SchedulerQueue(Database database, QueueStore queue, int claimers, int commands) {
        this.database = database;
        this.queue = queue;
        this.commands = commands;
        task = Tasks.oneTime("start").execute((instance, context) -> handOver(Integer.parseInt(instance.getId())));
        scheduler = Scheduler.create(database.dataSource(), task)
                .threads(claimers)
                .pollUsingLockAndFetch(FETCH_BELOW, FETCH_UP_TO)
                .pollingInterval(Duration.ofMillis(100))
                // Its class for MariaDB refuses lock-and-fetch; the statements for MySQL 8 are MariaDB's too.
                .jdbcCustomization(new MySQL8JdbcCustomization(true))
                .commitWhenAutocommitDisabled(true)
                .addSchedulerListener(new AbstractSchedulerListener() {
                    @Override
                    public void onExecutionComplete(ExecutionComplete done) {
                        done.getCause().ifPresent(failure::set);
                        completed.incrementAndGet();
                    }
                })
                .build();
        scheduler.pause();
        scheduler.start();
    }

    private void handOver(int job) {
        try {
            Jdl.parse(database.read(h -> queue.load(h, job)).jdl());
        } catch (DescriptionException e) {
            throw new IllegalStateException(e);
        }
        database.inTransaction(h -> {
            queue.handedOver(h, job, clock.instant());
            return null;
        });
    }

    @Override
    public void fill() {
        scheduler.pause();
        completed.set(0);
        List<TaskInstance<?>> instances = new ArrayList<>();
        database.read(h -> queue.waiting(h)).forEach(job -> instances.add(task.instance(Integer.toString(job))));
        scheduler.scheduleBatch(instances, Instant.now().minusSeconds(1));
    }

    @Override
    public void empty() {
        scheduler.resume();
        scheduler.triggerCheckForDueExecutions();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (completed.get() < commands) {
            if (failure.get() != null) {
                throw new IllegalStateException("an execution of db-scheduler failed", failure.get());
            }
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("db-scheduler's queue is not empty after " + PATIENCE + " s: "
                        + completed.get() + " of " + commands + " were executed");
            }
            LockSupport.parkNanos(LOOK);
        }
    }

    @Override
    public void close() {
        scheduler.stop();
    }
}
