package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.core.route.RouteMatch;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.JobFilter;
import org.gelato.ce.core.service.RegisterRequest;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.description.xrsl.Xrsl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a hand-over passes on, and what it makes of a time from elsewhere. */
class HandOverDetailsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        DB.database()
                .inTransaction(h -> h.execute(
                        "INSERT IGNORE INTO proxy_file (delegation_id, path) VALUES (?, '/p')", ce.delegationRow()));
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private JobId submit(String attributes, String ice) {
        String jdl = TestCe.JDL.replace("[ ", "[ " + attributes);
        return ce.jobs
                .registration()
                .register(ALICE, List.of(new JobDescription("r", Jdl.LANGUAGE, jdl, "d1", null, null, true)), ice)
                .get(0)
                .id();
    }

    private void awaitQueued(JobId id) {
        await(id + " is queued").until(() -> ce.state(ALICE, id) == JobState.IDLE);
    }

    // docs/developer/protocol/behaviour.md section 6
    @Test
    void onlyJobsOfAWmsWithoutMyProxyServerAreNotRenewed() {
        JobId plain = submit("", null);
        JobId ofWms = submit("", "ice1");
        JobId empty = submit("MyProxyServer = \"\"; ", "ice1");
        JobId renewed = submit("MyProxyServer = \"myproxy.example.org\"; ", "ice1");
        ce.start();
        List.of(plain, ofWms, empty, renewed).forEach(this::awaitQueued);
        assertThat(ce.wrappers.get(plain).proxy().guard()).isNotNull();
        assertThat(ce.wrappers.get(renewed).proxy().guard()).isNotNull();
        assertThat(ce.wrappers.get(ofWms).proxy().guard()).isNull();
        assertThat(ce.wrappers.get(empty).proxy().guard()).isNull();
    }

    @Test
    void routesGiveVariablesAndRuntimeEnvironments() {
        ce.close();
        FakeLrms lrms = new FakeLrms();
        ce = new TestCe(
                DB.database(),
                lrms,
                "host1",
                new Routes(List.of(
                        route("", "environment.SITE", "here", "environment.MINE", "the site's"),
                        route("dteam001", Routes.RUNTIME_ENVIRONMENTS, "ENV/PROXY"),
                        route("bob", Routes.RUNTIME_ENVIRONMENTS, "ENV/PROXY GONE-1.0"))));
        JobId id = submit("Environment = { \"MINE=the job's\" }; ", null);
        ce.start();
        awaitQueued(id);
        JobRequest request = lrms.submissions().iterator().next().request();
        assertThat(request.environment()).isEqualTo(Map.of("SITE", "here", "MINE", "the job's"));
        assertThat(request.session().runtimeEnvironments())
                .extracting(JobRequest.RuntimeEnvironment::name)
                .containsExactly("ENV/PROXY");
        assertThat(request.withSite(Map.of(), List.of("B-1", "env/proxy"))
                        .session()
                        .runtimeEnvironments())
                .as("the job's own entry, in the site's place")
                .extracting(JobRequest.RuntimeEnvironment::name)
                .containsExactly("B-1", "ENV/PROXY");
        assertThat(ce.jobs
                        .registration()
                        .register(
                                TestCe.caller("Bob", "bob"),
                                List.of(new JobDescription("r", Jdl.LANGUAGE, TestCe.JDL, "d1", null, null, true)),
                                null)
                        .get(0)
                        .fault()
                        .toString())
                .contains("GONE-1.0 does not exist here");
    }

    private static Route route(String account, String... values) {
        Map<String, Object> given = new HashMap<>();
        for (int i = 0; i < values.length; i += 2) {
            given.put(values[i], values[i + 1]);
        }
        List<String> accounts = account.isEmpty() ? List.of() : List.of(account);
        return new Route(
                "of-" + account,
                new RouteMatch(
                        List.of(), List.of(), List.of(), List.of(), accounts, List.of(), List.of(), 0, null, null,
                        Map.of()),
                given);
    }

    @Test
    void aDescriptionInALanguageOfANewerVersionIsRefused() {
        JobId id = submit("", null);
        DB.database()
                .inTransaction(h -> h.execute("UPDATE job_text SET language = 9 WHERE job_id = ?", ce.numbers.row(id)));
        ce.start();
        await(id + " is refused").until(() -> ce.state(ALICE, id) == JobState.ABORTED);
        assertThat(ce.jobs
                        .queries()
                        .status(ALICE, JobFilter.ofIds(List.of(id.toString())))
                        .get(0)
                        .status()
                        .failureReason())
                .contains("language 9");
    }

    @Test
    void aRuntimeEnvironmentThatIsGoneRefusesTheJob() {
        ce.snippets.add(new RuntimeEnvironments.Snippet("APPS/X-1", "export X=1\n"));
        List<JobDescription> two = Stream.of("apps/x-1", "APPS/Y")
                .map(name -> new JobDescription(
                        null,
                        Xrsl.LANGUAGE,
                        "&(executable=/bin/true)(queue=long)(runtimeenvironment=" + name + ")",
                        null,
                        null,
                        null,
                        true))
                .toList();
        List<RegisterResult> results = ce.jobs.registration().register(ALICE, RegisterRequest.arc(two, null));
        assertThat(results.get(1).fault().cause())
                .isEqualTo("RuntimeEnvironment: APPS/Y does not exist here; this CE has ENV/PROXY, APPS/X-1");
        JobId id = results.get(0).id();
        ce.snippets.clear();
        ce.start();
        await(id + " is refused").until(() -> ce.state(ALICE, id) == JobState.ABORTED);
        assertThat(ce.jobs
                        .queries()
                        .status(ALICE, JobFilter.ofIds(List.of(id.toString())))
                        .get(0)
                        .status()
                        .failureReason())
                .contains("apps/x-1 does not exist here");
    }

    private JobId registered(String xrsl) {
        return ce.jobs
                .registration()
                .register(
                        ALICE,
                        RegisterRequest.arc(
                                List.of(new JobDescription(
                                        null,
                                        Xrsl.LANGUAGE,
                                        "&(executable=/bin/true)(queue=long)" + xrsl,
                                        null,
                                        null,
                                        null,
                                        true)),
                                null))
                .get(0)
                .id();
    }

    @Test
    void aJobHasTheNamesOfTheProtocolThatBroughtIt() {
        JobId arc = registered("");
        JobId cream = submit("", null);
        ce.start();
        List.of(arc, cream).forEach(this::awaitQueued);
        assertThat(ce.wrappers.get(arc).names()).containsOnlyKeys("ARC");
        assertThat(ce.wrappers.get(cream).names()).containsOnlyKeys("CREAM");
    }

    @Test
    void aDryRunIsCheckedAndEndsWithoutTheBatchSystem() {
        JobId id = registered("(dryrun=yes)");
        ce.start();
        await(id + " has ended").until(() -> ce.state(ALICE, id) == JobState.ABORTED);
        assertThat(ce.jobs
                        .queries()
                        .status(ALICE, JobFilter.ofIds(List.of(id.toString())))
                        .get(0)
                        .status()
                        .failureReason())
                .isEqualTo("dry run, as the description wants it: the job was checked and not run");
        assertThat(ce.wrappers).doesNotContainKey(id);
    }

    @Test
    void aJobWaitsForItsTimeAndThenStarts() {
        Instant start = Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.SECONDS);
        JobId waits = registered("(starttime=\"" + start + "\")");
        JobId late = registered("(starttime=\"" + start.plus(Duration.ofDays(20)) + "\")");
        JobId past = registered("(starttime=\"2020-12-01 10:00:00\")");
        ce.start();
        awaitQueued(past);
        awaitQueued(waits);
        assertThat(Instant.now()).isAfterOrEqualTo(start);
        assertThat(ce.state(ALICE, late)).isEqualTo(JobState.PENDING);
        await("a job that waits for its time is no load")
                .until(() -> DB.database().read(ce.commands::countDue) == 0);
        ce.jobs.commands().kill(ALICE, List.of(late.toString()));
        await(late + " is cancelled").until(() -> ce.state(ALICE, late) == JobState.CANCELLED);
    }

    @Test
    void aStartFromANodeWhoseClockIsAheadDoesNotLeaveTheJobPending() {
        JobId id = submit("", null);
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE job SET state_since = state_since + INTERVAL 1 HOUR WHERE id = ?", ce.numbers.row(id)));
        ce.start();
        awaitQueued(id);
    }
}
