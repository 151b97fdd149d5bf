package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.SliceWeight;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.event.EventQueries;
import org.gelato.ce.core.event.EventQuery;
import org.gelato.ce.core.event.JobEvent;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Of a result no more than a slice is in memory, whatever texts it has. */
class LongResponsesTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final int LENGTH = 200_000;
    private static final Caller ALICE = TestCe.caller("Alice");

    private Database own;
    private TestCe ce;

    @BeforeEach
    void open() {
        own = new Database(DB.config());
        ce = new TestCe(own, new FakeLrms(), "h");
        own.inTransaction(h -> h.execute("DELETE FROM job"));
    }

    @AfterEach
    void close() {
        ce.close();
        own.close();
    }

    private List<JobId> register(String jdl, int jobs) {
        return ce
                .jobs
                .registration()
                .register(
                        ALICE,
                        Stream.generate(() -> new JobDescription("ref", Jdl.LANGUAGE, jdl, "d1", null, null, false))
                                .limit(jobs)
                                .toList(),
                        null)
                .stream()
                .map(RegisterResult::id)
                .toList();
    }

    private static String longJdl() {
        return TestCe.JDL.replace(" ]", "; Note = \"" + "n".repeat(LENGTH) + "\" ]");
    }

    private static List<String> ids(List<JobId> ids) {
        return ids.stream().map(JobId::toString).toList();
    }

    @Test
    void longDescriptionsAreReadAFewAtATimeAndAllAreShown() {
        List<JobId> jobs = register(longJdl(), 40);
        for (JobFilter filter : List.of(JobFilter.all(), JobFilter.ofIds(ids(jobs)))) {
            List<String> shown = new ArrayList<>();
            Iterator<List<JobInfoResult>> slices = ce.jobs.queries().infos(ALICE, filter);
            while (slices.hasNext()) {
                List<JobInfoResult> slice = slices.next();
                assertThat(slice.stream()
                                .mapToLong(r -> r.info().jdl().length())
                                .sum())
                        .isLessThanOrEqualTo(SliceWeight.MAX / 2);
                slice.forEach(r -> shown.add(r.id()));
            }
            assertThat(shown).isEqualTo(ids(jobs));
        }
    }

    @Test
    void theStatesOfFiveThousandJobsTakeThreeStatementsAtMost() {
        int jobs = 5000;
        List<String> ids = ids(register(TestCe.JDL, jobs));
        for (JobFilter filter : List.of(JobFilter.ofIds(ids), JobFilter.all())) {
            long before = own.statements();
            assertThat(ce.jobs.queries().status(ALICE, filter))
                    .extracting(JobStatusResult::id)
                    .isEqualTo(ids);
            assertThat(own.statements() - before).isBetween(1L, 3L);
        }
    }

    @Test
    void aUsualResultTakesAStatementForEachThousand() {
        register(TestCe.JDL, 1700);
        ce.jobs.queries().status(ALICE, JobFilter.all());
        long before = own.statements();
        assertThat(ce.jobs.queries().status(ALICE, JobFilter.all())).hasSize(1700);
        assertThat(own.statements() - before).as("status").isLessThanOrEqualTo(3);
        before = own.statements();
        assertThat(ce.jobs.queries().list(ALICE)).hasSize(1700);
        assertThat(own.statements() - before).as("list").isEqualTo(1);
        before = own.statements();
        assertThat(ce.jobs.queries().info(ALICE, JobFilter.all())).hasSize(1700);
        assertThat(own.statements() - before).as("info").isLessThanOrEqualTo(9);
    }

    @Test
    void longReasonsAreReadAFewAtATimeToo() {
        int jobs = 500;
        List<JobId> ids = register(TestCe.JDL, jobs);
        String reason = "\u00e4\u20ac".repeat(1024);
        own.inTransaction(
                h -> h.execute("UPDATE job SET failure_reason = ?, cancel_reason = ?", reason, "c".repeat(512)));
        own.inTransaction(h -> h.execute("UPDATE job_state_history SET failure_reason = ?", reason));
        Iterator<List<JobStatusResult>> slices = ce.jobs.queries().statuses(ALICE, JobFilter.all());
        List<String> shown = new ArrayList<>();
        while (slices.hasNext()) {
            List<JobStatusResult> slice = slices.next();
            assertThat(slice).allMatch(r -> r.status().failureReason().equals(reason));
            assertThat(slice.size() * 2L * reason.length()).isLessThanOrEqualTo(SliceWeight.MAX);
            slice.forEach(r -> shown.add(r.id()));
        }
        assertThat(shown).isEqualTo(ids(ids));
        assertThat(ce.jobs.queries().info(ALICE, JobFilter.all()))
                .extracting(JobInfoResult::id)
                .isEqualTo(ids(ids));

        EventQueries events = new EventQueries(own, new OwnerStore(own), ce.numbers);
        for (String ice : new String[] {null, "none"}) {
            own.inTransaction(h -> h.execute("INSERT IGNORE INTO ice (name) VALUES ('none')"));
            own.inTransaction(h -> h.execute("UPDATE job SET ice_id = (SELECT id FROM ice WHERE name = 'none')"));
            Iterator<List<JobEvent>> parts = events.parts(
                            ALICE, new EventQuery(0, Long.MAX_VALUE, null, null, Set.of(), ice, jobs))
                    .slices();
            List<JobId> changed = new ArrayList<>();
            while (parts.hasNext()) {
                List<JobEvent> part = parts.next();
                assertThat(part.size() * 2L * reason.length()).isLessThanOrEqualTo(SliceWeight.MAX);
                part.forEach(e -> changed.add(e.job()));
            }
            assertThat(changed).isEqualTo(ids);
        }
    }

    @Test
    void ofAJobWithCommandsWithoutEndTheFirstAndTheNewestAreShown() {
        List<JobId> ids = register(TestCe.JDL, 2);
        int row = ce.numbers.row(ids.get(0));
        int commands = 2000;
        own.inTransaction(h -> {
            var batch = h.prepareBatch("INSERT INTO command (job_id, kind, state, failure_reason, created_at)"
                    + " VALUES (?, 6, 4, ?, UTC_TIMESTAMP(6))");
            IntStream.range(0, commands).forEach(i -> batch.add(row, i + " " + "r".repeat(2000)));
            return batch.execute();
        });
        List<JobInfoResult> infos = ce.jobs.queries().info(ALICE, JobFilter.all());
        assertThat(infos).extracting(JobInfoResult::id).isEqualTo(ids(ids));
        List<CommandRecord> shown = infos.get(0).info().commands();
        assertThat(shown).hasSizeBetween(100, 200);
        assertThat(shown.get(0).name()).isEqualTo("JOB_REGISTER");
        assertThat(shown.get(1).failureReason()).startsWith("0 ");
        assertThat(shown.get(shown.size() - 1).failureReason()).startsWith(commands - 1 + " ");
    }
}
