package org.gelato.ce.core.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.gelato.ce.core.command.CommandKind;
import org.gelato.ce.core.command.CommandRecord;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.job.LabelStore;
import org.gelato.ce.description.JobLabels;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobSearchTest {
    private static final int EACH = 500;

    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static TestCe ce;
    private static JobSearch search;
    private static JobId second;

    @BeforeAll
    static void fill() {
        ce = new TestCe(DB.database(), new FakeLrms(), "h");
        for (String user : List.of("ann", "ben")) {
            ce.jobs
                    .registration()
                    .register(
                            TestCe.caller(user),
                            Stream.generate(() -> TestCe.description(true))
                                    .limit(EACH)
                                    .toList(),
                            null);
        }
        DB.database().inTransaction(h -> {
            h.execute("UPDATE job SET lrms_id = CONCAT(id, '.pbs.example.org')");
            return null;
        });
        DB.database().inTransaction(h -> {
            LabelStore.insert(h, List.of(new LabelStore.NewLabels(2, 1, new JobLabels("fit-7", Map.of("run", "42")))));
            return null;
        });
        DB.database().inTransaction(h -> h.execute("OPTIMIZE TABLE job, command, job_state_history"));
        search = new JobSearch(DB.database(), JobNumbers.of(DB.database()));
        second = JobNumbers.of(DB.database()).id(2);
    }

    @AfterAll
    static void stop() {
        ce.close();
    }

    private static List<JobSearch.Found> find(String text) {
        long before = DB.database().statements();
        List<JobSearch.Found> found = search.find(text);
        assertThat(DB.database().statements() - before).isLessThanOrEqualTo(7);
        assertThat(found).hasSizeLessThanOrEqualTo(JobSearch.MAX);
        return found;
    }

    @Test
    void aJobIsFoundByItsIdAndUrlAndByItsBatchJob() {
        for (String text :
                List.of(second.toString(), "https://ce.example.org:8443/" + second, "2", "2.pbs.example.org", " 2 ")) {
            assertThat(find(text))
                    .extracting(found -> found.job().id())
                    .as(text)
                    .containsExactly(second.toString());
        }
    }

    @Test
    void jobsOfAllUsersAreFoundByTheirNameAndByALabel() {
        for (String text : List.of("fit-7", "run=42")) {
            assertThat(find(text))
                    .extracting(found -> found.job().id())
                    .as(text)
                    .containsExactly(second.toString());
        }
        assertThat(find("run=4")).isEmpty();
        assertThat(find("fit")).isEmpty();
    }

    @Test
    void jobsAreFoundByTheirOwnersDnInEachFormAndByAPartOfIt() {
        String dn = TestCe.caller("ben").certificate().dn();
        for (String text : List.of(dn, DnForms.slash(dn), "=ben", "ben")) {
            assertThat(find(text))
                    .as(text)
                    .isNotEmpty()
                    .allSatisfy(job -> assertThat(job.job().dn()).isEqualTo(dn));
        }
    }

    @Test
    void jobsAreFoundByTheirVoQueueAndWorkerNode() {
        JobSearch.Found last = search.latest().get(0);
        DB.database().inTransaction(h -> h.execute("UPDATE job SET worker_node = 'wn7' WHERE id = 3"));
        String queue = last.job().queue();
        for (String text : List.of(last.job().vo(), queue, last.job().lrms() + "-" + queue)) {
            assertThat(find(text)).as(text).hasSize(JobSearch.MAX).first().isEqualTo(last);
        }
        assertThat(find("wn7")).extracting(f -> f.job().workerNode()).containsExactly("wn7");
    }

    @Test
    void theLatestJobsAndThoseThatFailedLastAreShownUnasked() {
        assertThat(search.latest()).hasSize(JobSearch.MAX);
        DB.database()
                .inTransaction(h -> h.execute("UPDATE job SET state = IF(id = 5, " + JobState.ABORTED.code() + ", "
                        + JobState.DONE_FAILED.code()
                        + "), state_since = IF(id = 5, '2030-01-02', '2030-01-01') WHERE id IN (5, 6)"));
        assertThat(search.latestFailed())
                .extracting(found -> found.job().state())
                .as("by the time of their failure")
                .containsExactly("ABORTED", "DONE-FAILED");
    }

    /** Nothing in a text is a pattern or a piece of SQL. */
    @ParameterizedTest
    @ValueSource(
            strings = {"%", "_", "!", "' OR 1 = 1 -- ", "<script>alert(1)</script>", "be_", "CN=%", "9999999", "\\"})
    void whatMeansNothingFindsNothing(String text) {
        assertThat(find(text)).isEmpty();
    }

    @Test
    void textsThatAreEmptyOrTooLongAreRefused() {
        assertThatThrownBy(() -> search.find("  ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> search.find("x".repeat(JobSearch.LONGEST + 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTimelineHasTheStatesAndCommandsInOrder() {
        long before = DB.database().statements();
        JobSearch.Timeline timeline = search.timeline(second).orElseThrow();
        assertThat(DB.database().statements() - before).isEqualTo(4);
        assertThat(timeline.labels().name()).isEqualTo("fit-7");
        assertThat(timeline.labels().labels()).containsEntry("run", "42");
        assertThat(timeline.job().job().id()).isEqualTo(second.toString());
        assertThat(timeline.states())
                .extracting(JobSearch.State::state)
                .startsWith(JobState.REGISTERED, JobState.PENDING);
        assertThat(timeline.commands()).extracting(CommandRecord::kind).contains(CommandKind.JOB_START);
        assertThat(search.timeline(new JobId((second.number() + 1) % JobId.SPACE)))
                .isEmpty();
    }

    @Test
    void readsByIndexesAlone() {
        Plans.readsBy(
                DB.database(),
                JobSearch.OF_BATCH_JOB
                        .replace(" ORDER BY id DESC LIMIT 100", "")
                        .replace(":id", "'2'")
                        .replace(":part", "'2.%'"),
                Set.of("job_lrms_id"));
        Plans.readsBy(
                DB.database(),
                JobSearch.OF_OWNER
                        .replace("<owner>", "2")
                        .replace("<state>", "1")
                        .replaceAll("^\\(|\\)$", ""),
                Set.of("job_owner"));
        Plans.readsBy(
                DB.database(),
                JobSearch.OF_LABEL.replace(":name", "'run'").replace(":value", "'42'"),
                Set.of("job_label_of_all"));
        Plans.readsBy(DB.database(), JobSearch.HISTORY.replace(":job", "2"), Set.of("job_state_history_job"));
        Plans.readsBy(DB.database(), JobSearch.COMMANDS.replace(":job", "2"), Set.of("command_of_job"));
        Plans.readsBy(
                DB.database(),
                JobSearch.SUBJECT
                        .replace(":kind", "0")
                        .replace(
                                ":hash",
                                "UNHEX(SHA2('"
                                        + TestCe.caller("ann").certificate().dn() + "', 256))"),
                Set.of("subject_key"));
    }
}
