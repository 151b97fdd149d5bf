package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What callers do to jobs is in the audit log: a line for each job named, or one that says which were intended. */
class AuditedCommandsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Caller ANN = TestCe.caller("ann");

    private final TestCe ce = new TestCe(DB.database(), new FakeLrms(), "host1");

    @AfterEach
    void close() {
        ce.close();
    }

    static Stream<Arguments> commands() {
        return Stream.of(
                command("cancel {", (jobs, caller) -> jobs.commands().cancel(caller, JobFilter.all())),
                command("purge {", (jobs, caller) -> jobs.commands().purge(caller, JobFilter.all())),
                command("suspend {", (jobs, caller) -> jobs.commands().suspend(caller, JobFilter.all())),
                command("resume {", (jobs, caller) -> jobs.commands().resume(caller, JobFilter.all())),
                command(
                        "set-lease {lease=L1, ",
                        (jobs, caller) -> jobs.commands().setLease(caller, "L1", JobFilter.all())));
    }

    private static Arguments command(String text, BiConsumer<Jobs, Caller> command) {
        return Arguments.of(text, command);
    }

    /** The original client sends such a call when a user mistypes an id. */
    @ParameterizedTest
    @MethodSource("commands")
    void aCommandWithoutIdsAndCriteriaIsOneLineThatSaysAllJobs(String text, BiConsumer<Jobs, Caller> command) {
        command.accept(ce.jobs, ANN);
        assertThat(ce.trail.texts()).containsExactly(text + "target=all jobs of the caller}");
        assertThat(ce.trail.acts()).allSatisfy(act -> assertThat(act.caller()).isEqualTo(ANN));
    }

    @Test
    void anAdministratorsIsAboutAllUsers() {
        ce.jobs.commands().purge(TestCe.admin(), JobFilter.all());
        assertThat(ce.trail.texts()).containsExactly("purge {target=all jobs of all users}");
    }

    @Test
    void criteriaAreNamed() {
        ce.jobs
                .commands()
                .cancel(ANN, new JobFilter(List.of(), List.of("IDLE", "HELD"), NOON, NOON.plusSeconds(60), "d1", "l1"));
        assertThat(ce.trail.texts())
                .containsExactly(
                        "cancel {delegation=d1, lease=l1, target=all jobs of the caller in IDLE, HELD registered"
                                + " from 2026-03-01T12:00:00Z until 2026-03-01T12:01:00Z of delegation d1 of lease l1}");
    }

    @Test
    void aStartWithoutIdsStartsNothingAndIsNoLine() {
        ce.jobs.commands().start(ANN, JobFilter.all());
        ce.jobs.commands().kill(ANN, List.of());
        assertThat(ce.trail.texts()).isEmpty();
    }

    @Test
    void jobsThatAreNamedHaveALineEachAndThoseRefusedHaveNone() {
        String first = register(false);
        String second = register(true);
        List<String> named = List.of(first, "CREAM999999999");
        ce.jobs.commands().start(ANN, JobFilter.ofIds(named));
        ce.jobs.commands().setLease(ANN, null, JobFilter.ofIds(named));
        ce.jobs.commands().kill(ANN, named);
        ce.jobs.commands().cancel(TestCe.caller("bob"), JobFilter.ofIds(List.of(second)));
        assertThat(ce.trail.texts())
                .containsExactly(
                        "register {delegation=d1, job=" + first + "}",
                        "register {delegation=d1, job=" + second + "}",
                        "start {job=" + second + "}",
                        "start {job=" + first + "}",
                        "set-lease {job=" + first + "}",
                        "cancel {job=" + first + "}");
    }

    /** It waits for its directory, and is started by the registration all the same: once. */
    @Test
    void aJobThatIsStartedWithItsDirectoryHasOneLineOfIt() {
        JobDescription uploads = new JobDescription(
                "ref",
                Jdl.LANGUAGE,
                TestCe.JDL.replace("[ ", "[ InputSandbox = { \"data\" }; "),
                "d1",
                null,
                null,
                true);
        RegisterResult result =
                ce.jobs.registration().register(ANN, List.of(uploads), null).get(0);
        assertThat(result.fault()).isNull();
        assertThat(ce.trail.texts())
                .containsExactly(
                        "register {delegation=d1, job=" + result.id() + "}", "start {job=" + result.id() + "}");
    }

    @Test
    void aRegistrationWithALimitedProxyIsARefusalWithItsReason() {
        Caller limited = new Caller(
                new GridIdentity("CN=ann,O=Test", List.of("/dteam"), "dteam", true, Instant.MAX, List.of()),
                "dteam001",
                false);
        assertThatThrownBy(() -> ce.jobs.registration().register(limited, List.of(TestCe.description(true)), null))
                .isInstanceOf(ServiceException.NotAuthorized.class);
        assertThat(ce.trail.texts()).isEmpty();
        assertThat(ce.trail.refusals()).containsExactly("refused {reason=Cannot submit job: proxy is limited}");
    }

    private String register(boolean start) {
        return ce.jobs
                .registration()
                .register(ANN, List.of(TestCe.description(start)), null)
                .get(0)
                .id()
                .toString();
    }
}
