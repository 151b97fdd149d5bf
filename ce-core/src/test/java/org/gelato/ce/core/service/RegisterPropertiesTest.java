package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.command.CommandRecord;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a new job's id carries beside the sandbox, and what JobInfo reports about a renewal. */
class RegisterPropertiesTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private Map<String, String> properties(String requirements, String ice) {
        String jdl = requirements == null
                ? TestCe.JDL
                : TestCe.JDL.replace("[ ", "[ CERequirements = " + requirements + "; ");
        RegisterResult result = ce.jobs
                .registration()
                .register(ALICE, List.of(new JobDescription("r", Jdl.LANGUAGE, jdl, "d1", null, null, false)), ice)
                .get(0);
        assertThat(result.fault()).isNull();
        return result.properties();
    }

    @Test
    void anIceLearnsTheIdOfTheDatabase() {
        assertThat(properties(null, null)).isEmpty();
        assertThat(properties(null, "ice1")).containsOnlyKeys("DB_ID");
        long created = Long.parseLong(properties(null, "ice1").get("DB_ID"));
        assertThat(created).isPositive().isLessThanOrEqualTo(Instant.now().toEpochMilli());
        String stored = DB.database()
                .read(h -> h.createQuery("SELECT i.name FROM job j JOIN ice i ON i.id = j.ice_id ORDER BY j.id DESC")
                        .mapTo(String.class)
                        .first());
        assertThat(stored).isEqualTo("ice1");
    }

    // The test's delegation ends in an hour.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "other.GlueCEPolicyMaxWallClockTime >= 720",
                "other.GlueHostMainMemoryRAMSize > 100 && GlueCEPolicyMaxWallClockTime > 61",
                "61 <= other.GlueCEPolicyMaxWallClockTime",
                "other.GlueCEPolicyMaxWallClockTime <= 720"
            })
    void aJobThatOutlivesItsProxyIsWarned(String requirements) {
        assertThat(properties(requirements, null).get("WARNING"))
                .startsWith("delegation d1 ends at ")
                .contains("minutes of wall clock time");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "other.GlueCEPolicyMaxWallClockTime >= 30",
                "other.GlueCEPolicyMaxCPUTime >= 720",
                "other.GlueHostName == \"GlueCEPolicyMaxWallClockTime >= 720\""
            })
    void othersAreNot(String requirements) {
        assertThat(properties(requirements, null)).isEmpty();
    }

    @Test
    void whatIsRequestedAndNobodyActsOnStandsInTheJobsInfo() {
        String jdl = TestCe.JDL.replace(
                "[ ",
                "[ CERequirements = other.GlueHostName != \"a\" && other.GlueCEUniqueID == \"b\"; OutputData = { [ OutputFile = \"a\"; ] }; ");
        JobId id = ce.jobs
                .registration()
                .register(ALICE, List.of(new JobDescription("r", Jdl.LANGUAGE, jdl, "d1", null, null, false)), null)
                .get(0)
                .id();
        assertThat(info(id).history().get(0).description())
                .startsWith("OutputData")
                .endsWith("; requested, but not passed to the batch system here: GlueHostName");
        assertThat(info(ce.submit(ALICE)).history().get(0).description()).isNull();
    }

    @Test
    void aRenewalShowsAsACommandOfTheJobsItConcerns() {
        JobId running = ce.submit(ALICE);
        JobId ended = ce.jobs
                .registration()
                .register(ALICE, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
        ce.jobs.commands().cancel(ALICE, JobFilter.ofIds(List.of(ended.toString())));
        DB.database()
                .inTransaction(h -> h.execute(
                        "UPDATE delegation SET renewed_at = UTC_TIMESTAMP(6), info = 'renewed' WHERE id = ?",
                        ce.delegationRow()));
        JobId later = ce.submit(ALICE);

        assertThat(commands(running)).containsExactly("JOB_REGISTER", "JOB_START", "PROXY_RENEW");
        assertThat(commands(ended)).containsExactly("JOB_REGISTER", "JOB_CANCEL");
        assertThat(commands(later)).containsExactly("JOB_REGISTER", "JOB_START");
        CommandRecord renewal = info(running).commands().get(2);
        assertThat(renewal.status()).isEqualTo("SUCCESSFULL");
        assertThat(renewal.description())
                .isEqualTo("renewed")
                .isEqualTo(info(running).delegationInfo());
        assertThat(renewal.completed()).isNotNull();
        DB.database().inTransaction(h -> h.execute("UPDATE delegation SET renewed_at = NULL, info = 'info'"));
    }

    private JobInfo info(JobId id) {
        return ce.jobs
                .queries()
                .info(ALICE, JobFilter.ofIds(List.of(id.toString())))
                .get(0)
                .info();
    }

    private List<String> commands(JobId id) {
        return info(id).commands().stream().map(CommandRecord::name).toList();
    }
}
