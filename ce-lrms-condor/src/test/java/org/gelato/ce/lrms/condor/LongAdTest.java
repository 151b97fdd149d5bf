package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsJob;
import org.junit.jupiter.api.Test;

/** A job of any local user whose attributes are too long or can't be read costs that job alone. */
class LongAdTest {
    private static final String OURS = Ads.line("JobStatus = 2 RemoteHost = \"slot1@wn1\"") + "\n";
    private static final String LONG = "x".repeat(70_000);

    private static CondorListing listing(String output) {
        CondorListing.Reader reader = CondorListing.Reader.ofOurs();
        byte[] bytes = output.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += 8191) {
            reader.take(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 8191)));
        }
        assertThat(reader.isCut()).isFalse();
        return reader.listing();
    }

    private static CondorLrms lrms(String output) {
        ScriptedAccounts accounts = new ScriptedAccounts(call -> ScriptedAccounts.done(0, output, ""));
        return new CondorLrms(CondorConfig.DEFAULT, accounts, Runnable::run, Clock.systemUTC());
    }

    @Test
    void aLongNameOfAnotherUserStopsNoPoll() {
        String theirs = Ads.line("Owner = \"mallory\" ClusterId = 99 GelatoTag = \"PLACE\" JobStatus = 1")
                        .replace("PLACE", LONG)
                + "\n";
        CondorListing listing = listing(OURS + theirs + OURS);
        assertThat(listing.bad()).isEmpty();
        assertThat(listing.jobs()).hasSize(2);
        assertThat(lrms(OURS + theirs).poll().join()).hasSize(1);
    }

    @Test
    void ofALongValueOfOursTheBeginningIsKeptAndTheOthersWhole() {
        for (String escaped : List.of("x", "\\\"", "\\\\", "\\t", "ü")) {
            String reason = escaped.repeat(70_000);
            CondorListing listing = listing(Ads.line("JobStatus = 5 HoldReasonCode = 1 HoldReason = \"PLACE\"")
                            .replace("PLACE", reason)
                    + "\n"
                    + OURS);
            assertThat(listing.bad()).as(escaped).isEmpty();
            assertThat(listing.jobs())
                    .extracting(LrmsJob::state)
                    .containsExactly(LrmsJob.State.HELD, LrmsJob.State.RUNNING);
            assertThat(listing.jobs().get(0).reason().length()).isLessThan(5000);
        }
    }

    @Test
    void aLineThatCannotBeReadCostsItsJobAloneWhichIsNotTakenAsGone() {
        String bad = "\"cream_000000077\"\t\"half\n";
        CondorLrms lrms = lrms(OURS + bad);
        assertThat(lrms.poll().join()).singleElement().extracting(LrmsJob::tag).isEqualTo("cream_000000042");
        Map<String, LrmsJob> found = lrms.find(List.of(
                        new Lookup("cream_000000042", "dteam001", null),
                        new Lookup("cream_000000077", "dteam001", "99.0#" + Ads.ROUND),
                        new Lookup("cream_000000078", "dteam001", "98.0#" + Ads.ROUND)))
                .join();
        assertThat(found).containsOnlyKeys("cream_000000042", "cream_000000077");
        assertThat(found.get("cream_000000077").isUnreadable()).isTrue();
    }

    @Test
    void whereABadLineNamesNoJobNoneThatIsMissingIsTakenAsGone() {
        Map<String, LrmsJob> found = lrms(OURS + "\"half\n")
                .find(List.of(new Lookup("cream_000000078", "dteam001", "98.0#" + Ads.ROUND)))
                .join();
        assertThat(found.get("cream_000000078").isUnreadable()).isTrue();
    }

    @Test
    void whoActsOnWhatIsNotShownGetsAnError() {
        assertThat(lrms(OURS + "\"half\n")
                        .stillOwned(List.of(new Lookup("cream_000000078", "dteam001", "98.0#" + Ads.ROUND))))
                .isCompletedExceptionally();
    }
}
