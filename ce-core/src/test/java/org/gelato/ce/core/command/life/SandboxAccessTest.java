package org.gelato.ce.core.command.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.JobSandbox;
import org.gelato.ce.core.sandbox.StoredSandboxes;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who finds whose sandbox. */
class SandboxAccessTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private static final WrapperTokens TOKENS = new WrapperTokens(new byte[16]);

    private TestCe ce;
    private StoredSandboxes sandboxes;
    private JobId job;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        sandboxes = new StoredSandboxes(DB.database(), new OwnerStore(DB.database()), ce.numbers, ce.layout, TOKENS);
        job = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    @Test
    void theOwnerFindsItAsItsOwnAnAdministratorAsAnothers() {
        JobSandbox own = sandboxes.of(ALICE, job);
        assertThat(own.owned()).isTrue();
        assertThat(own.state()).isEqualTo(JobState.REGISTERED);
        assertThat(own.account()).isEqualTo(ALICE.account());
        assertThat(own.person()).isEqualTo(ALICE.identity().subject());
        assertThat(own.directory().toString()).startsWith("/sandboxes/dteam/").endsWith("/" + job);
        JobSandbox seen = sandboxes.of(TestCe.admin(), job);
        assertThat(seen.owned()).isFalse();
        assertThat(seen.directory()).isEqualTo(own.directory());
    }

    @Test
    void foreignJobsReadAsUnknown() {
        assertThatThrownBy(() -> sandboxes.of(TestCe.caller("Bob"), job))
                .hasFieldOrPropertyWithValue("code", FaultCode.JOB_UNKNOWN)
                .hasMessage("no such job");
        assertThatThrownBy(() -> sandboxes.of(TestCe.admin(), new JobId(1)))
                .hasFieldOrPropertyWithValue("code", FaultCode.JOB_UNKNOWN)
                .hasMessage("no such job");
    }

    @Test
    void aTokenOpensItsOwnJobAlone() {
        JobId other = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        assertThat(sandboxes.ofWrapper(job, TOKENS.of(job)).owned()).isFalse();
        for (String token : List.of(TOKENS.of(other), "", "0".repeat(32))) {
            assertThatThrownBy(() -> sandboxes.ofWrapper(job, token))
                    .isInstanceOf(ServiceException.NotAuthorized.class);
        }
        JobId absent = new JobId(1);
        assertThatThrownBy(() -> sandboxes.ofWrapper(absent, TOKENS.of(absent)))
                .isInstanceOf(ServiceException.NotAuthorized.class);
    }
}
