package org.gelato.ce.core.event;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;

/** Jobs whose state changes a test writes by hand, in transactions that it holds open as it likes. */
final class EventScene {
    static final Caller ALICE = TestCe.caller("alice");

    final Database database;
    final JobNumbers numbers;
    private final AtomicLong nanos = new AtomicLong();
    final List<JobId> jobs;

    /** Registers jobs of Alice: each is an event. */
    EventScene(Database database, int count) {
        this.database = database;
        numbers = JobNumbers.of(database);
        jobs = register(ALICE, count, null);
    }

    private EventScene(Database database, EventScene same) {
        this.database = database;
        numbers = same.numbers;
        jobs = same.jobs;
    }

    /** The same jobs by another pool of connections. */
    EventScene on(Database pool) {
        return new EventScene(pool, this);
    }

    List<JobId> register(Caller caller, int count, String ice) {
        try (TestCe ce = new TestCe(database, new FakeLrms(), "h")) {
            List<JobId> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add(ce.jobs
                        .registration()
                        .register(caller, List.of(TestCe.description(false)), ice)
                        .get(0)
                        .id());
            }
            return ids;
        }
    }

    /** The events as one node reads them. */
    EventQueries node(Database pool, Duration patience) {
        return new EventQueries(pool, new OwnerStore(pool), numbers, nanos::get, patience);
    }

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    EventQueries node() {
        return node(database, Duration.ofSeconds(1));
    }

    /** A transaction that has written events and is open. */
    Connection open() throws SQLException {
        return database.dataSource().getConnection();
    }

    /** Writes events of the first job in one statement. @return their ids */
    List<Long> write(Connection transaction, int rows) throws SQLException {
        return write(transaction, rows, 2);
    }

    List<Long> write(Connection transaction, int rows, int state) throws SQLException {
        int job = numbers.row(jobs.get(0));
        String values = String.join(
                ", ",
                java.util.Collections.nCopies(
                        rows,
                        "(" + job + ", (SELECT owner_id FROM job WHERE id = " + job + "), " + state
                                + ", UTC_TIMESTAMP(6))"));
        List<Long> ids = new ArrayList<>();
        try (PreparedStatement insert = transaction.prepareStatement(
                "INSERT INTO job_state_history (job_id, owner_id, state, at) VALUES " + values,
                Statement.RETURN_GENERATED_KEYS)) {
            insert.executeUpdate();
            try (ResultSet keys = insert.getGeneratedKeys()) {
                while (keys.next()) {
                    ids.add(keys.getLong(1));
                }
            }
        }
        return ids;
    }

    static EventQuery from(long id) {
        return new EventQuery(id, Long.MAX_VALUE, null, null, Set.of(), null, 500);
    }

    /** A client that requests from its last id plus one. */
    static final class Follower {
        private final JobEvents events;
        private final List<Long> seen = new ArrayList<>();
        private long next;

        Follower(JobEvents events, long next) {
            this.events = events;
            this.next = next;
        }

        void poll() {
            for (JobEvent event : events.query(ALICE, from(next)).events()) {
                seen.add(event.id());
                next = event.id() + 1;
            }
        }

        List<Long> seen() {
            return seen;
        }
    }
}
