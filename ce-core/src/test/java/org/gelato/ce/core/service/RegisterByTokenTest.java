package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.LinkedIdentity;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** JobRegister by the rules of CREAM, for callers by token: a delegation is theirs to leave out (decision 0071). */
class RegisterByTokenTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller TOKEN = TestCe.tokenCaller("ann");

    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1").start();
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private static JobDescription description(String delegation, String proxy) {
        return new JobDescription("r", Jdl.LANGUAGE, TestCe.JDL, delegation, proxy, null, true);
    }

    private RegisterResult register(Caller caller, JobDescription description) {
        return ce.jobs
                .registration()
                .register(caller, List.of(description), null)
                .get(0);
    }

    @Test
    void aJobWithoutDelegationRunsAndShowsNone() {
        RegisterResult registered = register(TOKEN, description(null, null));
        assertThat(registered.fault()).isNull();
        assertThat(registered.properties()).doesNotContainKey("WARNING");
        JobId id = registered.id();
        await("handed over").until(() -> ce.state(TOKEN, id) == JobState.IDLE);
        assertThat(ce.wrappers.get(id).proxy()).isNull();
        assertThat(ce.lrms.submissions().get(0).origin().proxyFile()).isNull();
        JobInfo info = ce.jobs
                .queries()
                .info(TOKEN, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info();
        assertThat(info.delegationId()).isNull();
        assertThat(info.delegationInfo()).isNull();
        assertThat(info.commands()).extracting(CommandRecord::name).containsExactly("JOB_REGISTER", "JOB_START");
        JobFilter other = new JobFilter(List.of(id.toString()), List.of(), null, null, "d1", null);
        assertThat(ce.jobs.queries().status(TOKEN, other).get(0).fault().code())
                .isEqualTo(FaultCode.DELEGATION_ID_MISMATCH);
    }

    @Test
    void aPersonByTokenNeedsNoneEitherAndOneByCertificateDoes() {
        GridIdentity person = (GridIdentity) TestCe.caller("Ida").identity();
        LinkedIdentity linked = new LinkedIdentity((TokenIdentity) TOKEN.identity(), person);
        assertThat(register(new Caller(linked, "dteam001", false), description("", null))
                        .fault())
                .isNull();
        assertThat(register(new Caller(person, "dteam001", false), description(null, null))
                        .fault())
                .isEqualTo(new JobFault(FaultCode.DELEGATION_MISSING, null));
    }

    @Test
    void whatIsNamedMustBeThere() {
        assertThat(register(TOKEN, description("nosuch", null)).fault())
                .isEqualTo(new JobFault(FaultCode.DELEGATION_UNKNOWN, "nosuch"));
        assertThat(register(TOKEN, description("ended", null)).fault())
                .isEqualTo(new JobFault(FaultCode.DELEGATION_ENDED, "ended"));
        assertThat(register(TOKEN, description(null, "a proxy that is not left out silently"))
                        .fault())
                .isEqualTo(new JobFault(FaultCode.DELEGATION_MISSING, null));
    }

    @Test
    void aRepeatedRequestGivesTheSameJob() {
        RegisterRequest request = new RegisterRequest(
                List.of(description(null, null)),
                null,
                "key-of-" + Instant.now().toEpochMilli());
        JobId first = ce.jobs.registration().register(TOKEN, request).get(0).id();
        assertThat(ce.jobs.registration().register(TOKEN, request).get(0).id()).isEqualTo(first);
        assertThat(Set.copyOf(ce.jobs.queries().list(TOKEN))).contains(first);
    }
}
