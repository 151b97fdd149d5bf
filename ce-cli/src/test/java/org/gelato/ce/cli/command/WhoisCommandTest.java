package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.cli.wire.SiteJobFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WhoisCommandTest {
    private final FakeCe ce = new FakeCe();

    @Test
    void theUserOfABatchJobIsNamed() throws IOException {
        ce.siteJobs.add(JobsCommandTest.job("CREAM000000001", "wn1"));
        assertThat(ce.run("whois", "-e", "ce", "4711")).isZero();
        assertThat(ce.out())
                .startsWith("CREAM000000001 REALLY-RUNNING\n")
                .contains("  user       CN=Bob?[2J,DC=org\n", "  batch job  4711 (slurm-long)\n", "  node       wn1\n");
        assertThat(ce.calls).contains("siteJobs " + filter(null, null, "4711", null));

        FakeCe again = new FakeCe();
        again.siteJobs.add(JobsCommandTest.job("CREAM000000001", null));
        assertThat(again.run("whois", "-e", "ce", "--json", "https://ce:8443/CREAM000000001"))
                .isZero();
        assertThat(again.calls).contains("siteJobs " + filter(null, "CREAM000000001", null, null));
        assertThat(new ObjectMapper().readTree(again.out()).at("/jobs/0/dn").asText())
                .startsWith("CN=Bob");
    }

    @Test
    void anAccountIsLookedUpAtATimeAndNothingFoundIsExitCodeOne() {
        assertThat(ce.run("whois", "-e", "ce", "dteam001@2026-11-20 11:00:00")).isEqualTo(1);
        assertThat(ce.calls)
                .contains("siteJobs " + filter("dteam001", null, null, Instant.parse("2026-11-20T11:00:00Z")));
        assertThat(ce.err()).contains("dteam001@2026-11-20 11:00:00: no job in the CE's database");
    }

    private static SiteJobFilter filter(String account, String job, String batchId, Instant at) {
        return new SiteJobFilter(null, null, account, List.of(), null, null, job, batchId, at);
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "@2026-11-20", "dteam001@noon"})
    void aMistakeIsExitCodeTwo(String wanted) {
        assertThat(ce.run("whois", "-e", "ce", wanted)).isEqualTo(2);
        assertThat(ce.err()).isNotBlank();
    }
}
