package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.core.route.RouteMatch;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.json.JobDetail;
import org.gelato.ce.json.RouteSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job gets what the site's routes gave it when it was registered, whatever they are later. */
class RoutedJobsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");
    private static final RouteSettings SETTINGS =
            new RouteSettings(List.of("dteam"), Map.of("set.account", "atlas", "defaults.memory", 2L << 30));

    private final FakeLrms lrms = new FakeLrms();
    private Database own;

    @BeforeEach
    void open() {
        own = new Database(DB.config());
        own.inTransaction(h -> h.execute("DELETE FROM job"));
    }

    @AfterEach
    void close() {
        own.close();
    }

    private static Routes routes(Object account) {
        RouteMatch dteam = new RouteMatch(
                List.of("dteam"),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                0,
                null,
                null,
                Map.of());
        return new Routes(List.of(new Route(
                "dteam", dteam, Map.of("set.account", account, "defaults.memory", 2L << 30, "limits.wall-time", 60L))));
    }

    private static JobDescription requesting(int minutes) {
        return new JobDescription(
                "ref",
                Jdl.LANGUAGE,
                TestCe.JDL.replace(" ]", "; CERequirements = other.GlueCEPolicyMaxWallClockTime <= " + minutes + "; ]"),
                "d1",
                null,
                null,
                true);
    }

    private Submission handedOver(JobId id) {
        await().until(() -> lrms.submissions().stream().anyMatch(s -> s.id().equals(id)));
        return lrms.submissions().stream()
                .filter(s -> s.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aJobIsHandedOverWithItsSettingsAndDefaults() {
        try (TestCe ce = new TestCe(own, lrms, "host1", routes("atlas"))) {
            Submission job = handedOver(ce.start().submit(ALICE));
            assertThat(job.settings()).isEqualTo(SETTINGS);
            assertThat(job.request().resources().limits().memory()).isEqualTo(2L << 30);
            Submission other = handedOver(ce.submit(TestCe.tokenCaller("robot")));
            assertThat(other.settings()).isEqualTo(SETTINGS);
        }
        try (TestCe ce = new TestCe(own, lrms, "host1")) {
            Submission job = handedOver(ce.start().submit(ALICE));
            assertThat(job.settings()).isEqualTo(RouteSettings.NONE);
            assertThat(job.request().resources().limits().memory()).isNull();
        }
    }

    @Test
    void aJobKeepsTheRouteItHad() {
        JobId id;
        try (TestCe ce = new TestCe(own, lrms, "host1", routes("atlas"))) {
            id = ce.submit(ALICE);
        }
        try (TestCe ce = new TestCe(own, lrms, "host1", routes("cms")).start()) {
            assertThat(handedOver(id).settings()).isEqualTo(SETTINGS);
            assertThat(handedOver(ce.submit(ALICE)).settings().values()).containsEntry("set.account", "cms");
        }
    }

    @Test
    void aJobThatRequestsMoreThanALimitIsRefusedWhenItIsRegistered() {
        try (TestCe ce = new TestCe(own, lrms, "host1", routes("atlas"))) {
            List<RegisterResult> results =
                    ce.jobs.registration().register(ALICE, List.of(requesting(1), requesting(2)), null);
            assertThat(results.get(0).fault()).isNull();
            assertThat(results.get(1).fault())
                    .isEqualTo(new JobFault(
                            FaultCode.GENERIC,
                            "the job requests 120 s of time; limits.wall-time of the site's route dteam is 60"));
        }
    }

    @Test
    void equalSettingsAreOneRowAndCostNoStatement() {
        int before = rows();
        try (TestCe ce = new TestCe(own, lrms, "host1", routes("lhcb"));
                TestCe without = new TestCe(own, lrms, "host1")) {
            ce.submit(ALICE);
            without.submit(ALICE);
            long statements = statements(() -> ce.submit(ALICE));
            assertThat(statements).isEqualTo(statements(() -> without.submit(ALICE)));
        }
        assertThat(rows()).isEqualTo(before + 1);
    }

    @Test
    void theRoutesOfAJobAreShownAndWrittenDown() {
        try (TestCe ce = new TestCe(own, lrms, "host1", routes("atlas"))) {
            JobId routed = ce.submit(ALICE);
            assertThat(details(ce, routed)).containsEntry(JobDetail.ROUTES, "dteam");
            assertThat(ce.trail.acts())
                    .filteredOn(act -> act.event() == AuditEvent.REGISTER)
                    .extracting(act -> act.details().get(AuditField.ROUTES))
                    .containsExactly("dteam");
        }
        try (TestCe ce = new TestCe(own, lrms, "host1")) {
            JobId unrouted = ce.submit(ALICE);
            assertThat(details(ce, unrouted)).doesNotContainKey(JobDetail.ROUTES);
            assertThat(ce.trail.acts()).noneMatch(act -> act.details().containsKey(AuditField.ROUTES));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "null"})
    void settingsThatNobodyCanReadHoldBackTheirJobAlone(String content) {
        JobId damaged;
        JobId plain;
        try (TestCe ce = new TestCe(own, lrms, "host1", routes("damaged"));
                TestCe without = new TestCe(own, lrms, "host1")) {
            damaged = ce.submit(ALICE);
            plain = without.submit(ALICE);
        }
        own.inTransaction(h -> h.createUpdate("UPDATE route SET content = :content WHERE content LIKE '%damaged%'")
                .bind("content", content)
                .execute());
        try (TestCe ce = new TestCe(own, lrms, "host1").start()) {
            handedOver(plain);
            assertThat(details(ce, damaged).get(JobDetail.ROUTES)).startsWith("unknown");
            assertThat(details(ce, plain)).doesNotContainKey(JobDetail.ROUTES);
            assertThat(lrms.submissions()).noneMatch(s -> s.id().equals(damaged));
        } finally {
            own.inTransaction(h -> h.execute("DELETE FROM job"));
            own.inTransaction(h -> h.execute("DELETE FROM route WHERE content NOT LIKE '{%'"));
        }
    }

    private static Map<JobDetail, String> details(TestCe ce, JobId id) {
        return ce.jobs
                .queries()
                .info(ALICE, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info()
                .details();
    }

    private long statements(Runnable work) {
        long before = own.statements();
        work.run();
        return own.statements() - before;
    }

    private int rows() {
        return own.read(
                h -> h.select("SELECT COUNT(*) FROM route").mapTo(Integer.class).one());
    }
}
