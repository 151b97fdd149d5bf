package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.gelato.ce.core.db.CommitInDoubtException;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.LostCommits;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The database is gone at the commit of a registration: only a key shows its result. */
class RegisterInDoubtTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final Caller alice = TestCe.caller("Alice");
    private Database losing;
    private TestCe ce;

    @BeforeEach
    void open() {
        losing = new Database(LostCommits.of(DB.config()));
        ce = new TestCe(losing, new FakeLrms(), "h");
        register(null); // owner, account and queue are known from here on
    }

    @AfterEach
    void close() {
        ce.close();
        losing.close();
    }

    private JobId register(String key) {
        JobDescription upload = new JobDescription(
                "ref",
                Jdl.LANGUAGE,
                "[ Executable = \"run.sh\"; InputSandbox = {\"run.sh\"}; BatchSystem = \"fake\"; QueueName = \"long\" ]",
                "d1",
                null,
                null,
                false);
        return ce.jobs
                .registration()
                .register(alice, new RegisterRequest(List.of(upload), null, key))
                .get(0)
                .id();
    }

    @Test
    void whatWasStoredIsFoundUnderItsKey() {
        List<JobId> before = ce.jobs.queries().list(alice);
        int directories = ce.accounts.log().size();
        LostCommits.loseAfter(1);
        JobId job = register("stored");
        assertThat(ce.jobs.queries().list(alice)).hasSize(before.size() + 1).contains(job);
        assertThat(ce.accounts.log()).as("its directory").hasSize(directories + 1);
        assertThat(register("stored")).isEqualTo(job);
    }

    @Test
    void whatWasNotStoredIsStoredOnce() {
        List<JobId> before = ce.jobs.queries().list(alice);
        LostCommits.loseBefore(2);
        JobId job = register("not-stored");
        assertThat(ce.jobs.queries().list(alice)).hasSize(before.size() + 1).contains(job);
    }

    @Test
    void aDatabaseThatStaysAwayFailsTheCall() {
        LostCommits.loseBefore(3);
        assertThatThrownBy(() -> register("gone")).isInstanceOf(CommitInDoubtException.class);
    }

    @Test
    void withoutKeyNothingIsStoredTwice() {
        List<JobId> before = ce.jobs.queries().list(alice);
        LostCommits.loseAfter(1);
        assertThatThrownBy(() -> register(null)).isInstanceOf(CommitInDoubtException.class);
        assertThat(ce.jobs.queries().list(alice)).hasSize(before.size() + 1);
    }
}
