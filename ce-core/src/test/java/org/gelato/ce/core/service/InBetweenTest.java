package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.BeforeStatement;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What another node does between two statements of a call. */
class InBetweenTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private Database own;
    private TestCe ce;
    private JobId id;
    private JobId other;

    @BeforeEach
    void open() {
        own = BeforeStatement.on(DB.config());
        ce = new TestCe(own, new FakeLrms(), "host1");
        id = register();
        other = register();
    }

    @AfterEach
    void close() {
        ce.close();
        own.close();
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
    }

    private JobId register() {
        return ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
    }

    private void purge(JobId job) {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job WHERE id = ?", ce.numbers.row(job)));
    }

    private List<JobInfoResult> infoWithPurgeBefore(String statement, JobFilter filter) {
        BeforeStatement.first(statement, () -> purge(id));
        List<JobInfoResult> results = ce.jobs.queries().info(ALICE, filter);
        assertThat(BeforeStatement.happened()).isTrue();
        return results;
    }

    // docs/developer/protocol/behaviour.md section 12, trap 5
    @Test
    void aNamedJobPurgedBetweenTheReadsIsUnknown() {
        for (String statement : List.of("t.jdl", "FROM job_state_history WHERE job_id")) {
            List<JobInfoResult> results =
                    infoWithPurgeBefore(statement, JobFilter.ofIds(List.of(id.toString(), other.toString())));
            assertThat(results).extracting(JobInfoResult::id).containsExactly(id.toString(), other.toString());
            assertThat(results.get(0).info()).isNull();
            assertThat(results.get(0).fault().code()).isEqualTo(FaultCode.JOB_UNKNOWN);
            assertThat(results.get(1).info()).isNotNull();
            id = register();
        }
    }

    @Test
    void aJobPurgedBetweenTheReadsIsLeftOutWhereNoneIsNamed() {
        for (String statement : List.of("j.hand_over", "t.jdl", "FROM job_state_history WHERE job_id")) {
            List<JobInfoResult> results = infoWithPurgeBefore(statement, JobFilter.all());
            assertThat(results).extracting(JobInfoResult::id).containsExactly(other.toString());
            assertThat(results.get(0).info()).isNotNull();
            purge(other);
            id = register();
            other = register();
        }
    }

    @Test
    void aJobIsCancelledOnceWhenTwoNodesEndItsDelegation() {
        JobId started = ce.submit(ALICE);
        BeforeStatement.first("FOR UPDATE", () -> {
            try (TestCe second = new TestCe(DB.database(), new FakeLrms(), "host2")) {
                second.jobCommands.cancelJobsOf(ce.delegationRow(), "ended");
            }
        });
        ce.jobCommands.cancelJobsOf(ce.delegationRow(), "ended");
        assertThat(BeforeStatement.happened()).isTrue();
        assertThat(commands(started)).containsExactly("JOB_REGISTER", "JOB_START", "JOB_CANCEL");
        assertThat(commands(id)).containsExactly("JOB_REGISTER", "JOB_CANCEL");
    }

    private List<String> commands(JobId job) {
        return ce.jobs.queries().info(ALICE, JobFilter.ofIds(List.of(job.toString()))).get(0).info().commands().stream()
                .map(CommandRecord::name)
                .toList();
    }
}
