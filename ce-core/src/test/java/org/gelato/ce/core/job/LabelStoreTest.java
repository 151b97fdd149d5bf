package org.gelato.ce.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.description.adl.Adl;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.description.xrsl.Xrsl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What owners find their jobs by: from the description to the list, until the job is purged. */
class LabelStoreTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ANN = TestCe.caller("ann");

    private final TestCe ce = new TestCe(DB.database(), new FakeLrms(), "h");
    private final LabelStore labels = new LabelStore(DB.database(), new OwnerStore(DB.database()), ce.numbers);

    @BeforeEach
    void empty() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private List<JobId> register(Caller caller, String... attributes) {
        List<JobDescription> descriptions = new ArrayList<>();
        for (String more : attributes) {
            String jdl = TestCe.JDL.replaceFirst("\\]$", "; " + more + "]");
            descriptions.add(new JobDescription("ref", Jdl.LANGUAGE, jdl, "d1", null, null, false));
        }
        return ce.jobs.registration().register(caller, descriptions, null).stream()
                .map(result -> result.id())
                .toList();
    }

    private List<JobId> found(Caller caller, String name, Map<String, String> wanted) {
        return labels.find(caller, new JobLabels(name, wanted), 0, 100).stream()
                .map(LabelStore.Labelled::job)
                .toList();
    }

    @Test
    void jobsAreFoundByAllThatIsGivenAndByTheirOwnerAlone() {
        List<JobId> jobs = register(
                ANN,
                "JobName = \"fit\"; Labels = {\"run=42\", \"channel=ee\"};",
                "JobName = \"fit\"; Labels = {\"run=43\"};",
                "Labels = {\"run = 42\"};",
                "");
        register(TestCe.caller("bob"), "JobName = \"fit\"; Labels = {\"run=42\"};");
        assertThat(found(ANN, "fit", Map.of())).containsExactly(jobs.get(0), jobs.get(1));
        assertThat(found(ANN, null, Map.of("run", "42"))).containsExactly(jobs.get(0), jobs.get(2));
        assertThat(found(ANN, "fit", Map.of("run", "42", "channel", "ee"))).containsExactly(jobs.get(0));
        assertThat(found(ANN, "fit", Map.of("run", "42", "channel", "mm"))).isEmpty();
        assertThat(found(ANN, "Fit", Map.of())).as("case counts").isEmpty();
        LabelStore.Labelled first =
                labels.find(ANN, new JobLabels("fit", Map.of()), 0, 1).get(0);
        assertThat(first.labels()).isEqualTo(new JobLabels("fit", Map.of("run", "42", "channel", "ee")));
        assertThat(labels.find(ANN, new JobLabels("fit", Map.of()), first.row(), 9))
                .extracting(LabelStore.Labelled::job)
                .containsExactly(jobs.get(1));
        assertThatThrownBy(() -> found(ANN, null, Map.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aJobWithoutAnyHasNoRowAndAPurgeTakesTheRowsAlong() {
        register(ANN, "", "");
        assertThat(rows()).isZero();
        List<JobId> jobs = register(ANN, "JobName = \"gone\"; Labels = {\"a=1\"};");
        assertThat(rows()).isEqualTo(2);
        DB.database().inTransaction(h -> h.execute("DELETE FROM job WHERE id = ?", ce.numbers.row(jobs.get(0))));
        assertThat(rows()).isZero();
    }

    private int rows() {
        return DB.database()
                .read(h -> h.select("SELECT COUNT(*) FROM job_label")
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void whatIsNoLabelIsRefusedInJdl() {
        for (String bad : List.of(
                "JobName = \"" + "x".repeat(256) + "\";",
                "Labels = {\"run\"};",
                "Labels = {\"=1\"};",
                "Labels = {\"a b=1\"};",
                "Labels = {\"a=" + "x".repeat(256) + "\"};",
                "Labels = {\"a=1\", \"a=2\"};",
                "Labels = {\"a1=\",\"a2=\",\"a3=\",\"a4=\",\"a5=\",\"a6=\",\"a7=\",\"a8=\",\"a9=\",\"b1=\",\"b2=\",\"b3=\","
                        + "\"b4=\",\"b5=\",\"b6=\",\"b7=\",\"b8=\"};")) {
            assertThat(register(ANN, bad)).as(bad).containsOnlyNulls();
        }
        assertThat(register(ANN, "JobName = \"" + "x".repeat(255) + "\"; Labels = {\"a=" + "é".repeat(255) + "\"};"))
                .doesNotContainNull();
    }

    @Test
    void adlAndXrslHaveThemToo() throws Exception {
        JobLabels adl = Adl.LANGUAGE
                .read(
                        "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"><ActivityIdentification>"
                                + "<Name>fit\n7</Name><Annotation>run=42</Annotation><Annotation>a remark</Annotation>"
                                + "</ActivityIdentification><Application><Executable><Path>/bin/true</Path></Executable>"
                                + "</Application></ActivityDescription>",
                        org.gelato.ce.description.ReadingBudget.UNBOUNDED)
                .labels();
        assertThat(adl).isEqualTo(new JobLabels("fit 7", Map.of("run", "42")));
        assertThat(Xrsl.LANGUAGE
                        .read(
                                "&(executable=/bin/true)(jobname=" + "y".repeat(300) + ")",
                                org.gelato.ce.description.ReadingBudget.UNBOUNDED)
                        .labels())
                .isEqualTo(new JobLabels("y".repeat(255), Map.of()));
    }
}
