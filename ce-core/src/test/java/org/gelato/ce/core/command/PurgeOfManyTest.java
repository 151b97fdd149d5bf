package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A purge of more jobs than one transaction takes: all are queued before the first is purged. */
class PurgeOfManyTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final int MORE_THAN_A_SLICE = 1001;

    private final List<String> told = new ArrayList<>();
    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        ce.direct = new DirectClaims() {
            @Override
            public Optional<Reservation> reserve(CommandKind kind, int count) {
                return Optional.empty();
            }

            @Override
            public Hold hold(CommandKind kind) {
                told.add("held: " + kind + ", queued: " + queued());
                return () -> told.add("free, queued: " + queued());
            }
        };
        ce.jobs.registration().register(ALICE, Collections.nCopies(MORE_THAN_A_SLICE, TestCe.description(false)), null);
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private static long queued() {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM command WHERE state = 1")
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void allAreQueuedBeforeTheFirstIsPurged() {
        ce.jobs.commands().purge(ALICE, JobFilter.all());
        assertThat(told).containsExactly("held: JOB_PURGE, queued: 0", "free, queued: " + MORE_THAN_A_SLICE);
    }
}
