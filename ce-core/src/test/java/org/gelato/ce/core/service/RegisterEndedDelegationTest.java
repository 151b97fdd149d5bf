package org.gelato.ce.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
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

/** A delegation that ends after a registration looked it up, and before its jobs are stored: by another node, perhaps. */
class RegisterEndedDelegationTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller ALICE = TestCe.caller("Alice");

    private TestCe ce;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        DB.database().inTransaction(h -> h.execute("DELETE FROM job") + h.execute("DELETE FROM register_key"));
        ce.addDelegation("d2", Instant.now().plusSeconds(3600));
        DB.database().inTransaction(h -> h.execute("DELETE FROM delegation WHERE client_id = 'd2'"));
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private List<RegisterResult> register(String key, String... delegations) {
        return ce.jobs
                .registration()
                .register(
                        ALICE,
                        new RegisterRequest(
                                List.of(delegations).stream()
                                        .map(d -> new JobDescription(d, Jdl.LANGUAGE, TestCe.JDL, d, null, null, false))
                                        .toList(),
                                null,
                                key));
    }

    private static List<Integer> delegationsOfJobs() {
        return DB.database()
                .read(h -> h.select("SELECT delegation_id FROM job ORDER BY id")
                        .mapTo(Integer.class)
                        .list());
    }

    private static void refused(RegisterResult result) {
        assertThat(result.id()).isNull();
        assertThat(result.fault()).isEqualTo(new JobFault(FaultCode.DELEGATION_UNKNOWN, "d2"));
    }

    @Test
    void itsJobIsRefusedAsIfItHadNeverBeen() {
        refused(register(null, "d2").get(0));
        assertThat(delegationsOfJobs()).isEmpty();
    }

    @Test
    void theOtherJobsOfTheCallAreStored() {
        List<RegisterResult> results = register(null, "d1", "d2");
        assertThat(results.get(0).fault()).isNull();
        refused(results.get(1));
        assertThat(delegationsOfJobs()).containsExactly(ce.delegationRow());
    }

    @Test
    void theCallIsAnsweredTheSameWhenItIsRepeated() {
        List<RegisterResult> first = register("k", "d1", "d2");
        ce.storeDelegation("d2");
        List<RegisterResult> again = register("k", "d1", "d2");
        assertThat(again.get(0).id()).isEqualTo(first.get(0).id()).isNotNull();
        refused(again.get(1));
        assertThat(delegationsOfJobs()).hasSize(1);
    }

    @Test
    void oneThatWasMadeAnewUnderTheIdIsUsed() {
        int row = ce.storeDelegation("d2");
        assertThat(register(null, "d2").get(0).fault()).isNull();
        assertThat(delegationsOfJobs()).containsExactly(row);
    }
}
