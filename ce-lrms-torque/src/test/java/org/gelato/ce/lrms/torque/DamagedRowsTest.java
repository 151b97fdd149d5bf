package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job of a listing that can't be read is neither absent nor in any state, and costs no other job its result. */
class DamagedRowsTest {
    private static final Lookup TEN = new Lookup("cream_000000010", "dteam001", "10.torque.example");
    private static final Lookup ELEVEN = new Lookup("cream_000000011", "dteam001", "11.torque.example");
    private static final Lookup GONE = new Lookup("cream_000000099", "dteam001", "99.torque.example");
    private static final String ALIVE = Samples.text("alive.xml");

    @TempDir
    Path directory;

    private TorqueLrms lrms(String listing, boolean accounted) {
        TorqueConfig config = Records.with(TorqueConfig.DEFAULT, "accountingDirectory", accounted ? directory : null);
        return new TorqueLrms(config, ScriptedAccounts.answering(0, listing, ""), Runnable::run);
    }

    private Map<String, LrmsJob> find(String listing, Lookup... lookups) {
        return lrms(listing, false).find(List.of(lookups)).join();
    }

    @Test
    void anUnknownStateOfOneJobFailsNoLookUpOfOthers() {
        String listing = ALIVE.replaceFirst("<job_state>.</job_state>", "<job_state>Z</job_state>");
        Map<String, LrmsJob> found = find(listing, TEN, ELEVEN, GONE);
        assertThat(found).containsOnlyKeys(TEN.tag(), ELEVEN.tag());
        assertThat(found.get(TEN.tag()).state()).isEqualTo(State.UNKNOWN);
        assertThat(found.get(TEN.tag()).lrmsId()).isEqualTo(TEN.lrmsId());
        assertThat(found.get(ELEVEN.tag()).state()).isEqualTo(State.HELD);
        assertThat(lrms(listing, false).poll().join())
                .filteredOn(job -> TEN.lrmsId().equals(job.lrmsId()))
                .extracting(LrmsJob::state)
                .containsExactly(State.UNKNOWN);
    }

    @Test
    void aDamagedJobIsUnknownAndOthersThatAreMissingAreAbsent() {
        String listing = ALIVE.replaceFirst("</job_state>", "");
        Map<String, LrmsJob> found = find(listing, TEN, ELEVEN, GONE);
        assertThat(found).containsOnlyKeys(TEN.tag(), ELEVEN.tag());
        assertThat(found.get(TEN.tag()).isUnreadable()).isTrue();
        assertThat(lrms(listing, false).poll().join())
                .filteredOn(job -> TEN.lrmsId().equals(job.lrmsId()))
                .as("not ended for a poll")
                .extracting(LrmsJob::state)
                .containsExactly(State.UNKNOWN);
    }

    @Test
    void aJobWithoutIdNameAndOwnerMayBeAnyThatIsMissing() {
        String listing = ALIVE.replaceFirst("<Job>", "<Job><<Job>");
        Map<String, LrmsJob> found = find(listing, TEN, GONE);
        assertThat(found.get(TEN.tag()).state()).isEqualTo(State.QUEUED);
        assertThat(found.get(GONE.tag()).isUnreadable()).isTrue();
    }

    @Test
    void aDamagedJobOfAnotherAccountBlocksNobody() {
        String listing = ALIVE.replaceFirst("</job_state>", "")
                .replaceFirst("dteam001@", "mallory@")
                .replaceFirst("cream_", "x");
        assertThat(find(listing, GONE, new Lookup("cream_000000098", "dteam001", null)))
                .isEmpty();
    }

    @Test
    void aJobThatIsShownTwiceIsUnknownToAPoll() {
        String job = ALIVE.substring(ALIVE.indexOf("<Job>"), ALIVE.indexOf("</Job>") + "</Job>".length());
        String listing = ALIVE.replaceFirst("<Job>", job + "<Job>");
        assertThat(lrms(listing, false).poll().join())
                .filteredOn(one -> TEN.lrmsId().equals(one.lrmsId()))
                .extracting(LrmsJob::state)
                .containsExactly(State.UNKNOWN);
        assertThat(find(listing, TEN, ELEVEN).get(TEN.tag()).isUnreadable()).isTrue();
    }

    /** As a killed server leaves it. */
    @Test
    void aJobWithoutAnEndInTheLogIsNotRunningForEver() throws IOException {
        Files.writeString(
                directory.resolve("20261126"),
                "11/26/2026 13:00:00;S;99.torque.example;user=dteam001 jobname=cream_000000099 exec_host=wn1/0 \n");
        LrmsJob job = lrms(ALIVE, true).find(List.of(GONE)).join().get(GONE.tag());
        assertThat(job.state()).isEqualTo(State.DONE);
        assertThat(job.exitCode()).isNull();
        assertThat(job.reason()).contains("no end");
        Lookup inDoubt = new Lookup(GONE.tag(), "dteam001", null);
        assertThat(lrms(ALIVE, true)
                        .find(List.of(inDoubt))
                        .join()
                        .get(GONE.tag())
                        .state())
                .as("it may have been handed over after the listing")
                .isEqualTo(State.RUNNING);
    }
}
