package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One call held a request thread for as long as all its descriptions took to parse. */
class RegisterManyWordsTest {
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

    private static JobDescription withWords(int words) {
        String jdl = TestCe.JDL.replace("[ ", "[ X = { " + "1,".repeat(words / 2) + " }; ");
        return new JobDescription("r", Jdl.LANGUAGE, jdl, "d1", null, null, false);
    }

    private static int jobs() {
        return DB.database()
                .read(h -> h.createQuery("SELECT COUNT(*) FROM job")
                        .mapTo(Integer.class)
                        .one());
    }

    @Test
    void descriptionsOf98000WordsAreRefusedEach() {
        int before = jobs();
        List<RegisterResult> results =
                ce.jobs.registration().register(ALICE, Collections.nCopies(20, withWords(98_000)), null);
        assertThat(results)
                .hasSize(20)
                .allSatisfy(result -> assertThat(result.fault().toString()).contains("more than 20000 words"));
        assertThat(jobs()).isEqualTo(before);
    }

    @Test
    void aCallWithTooManyWordsInAllRegistersNothing() {
        int before = jobs();
        for (int words : new int[] {15_000, 98_000}) {
            assertThatThrownBy(() ->
                            ce.jobs.registration().register(ALICE, Collections.nCopies(34, withWords(words)), null))
                    .hasFieldOrPropertyWithValue("code", FaultCode.TOO_LARGE)
                    .hasMessageContaining("more than 500000 words together")
                    .hasMessageContaining("nothing was registered");
        }
        assertThat(jobs()).isEqualTo(before);
    }
}
