package org.gelato.ce.ws.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.accounting.AccountingSettings;
import org.gelato.ce.core.accounting.AccountingSettings.Form;
import org.gelato.ce.core.accounting.AccountingSettings.Publishing;
import org.gelato.ce.core.identity.TokenIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A CE that publishes has all that its records need before it starts. */
class AccountingKeysTest {
    private static final Path FILE = Path.of("/etc/gelato/gelato.conf");
    private static final String COMPLETE = "gelato.host = ce.example.org, gelato.lrms.queues = [long, short]\n"
            + "gelato.accounting { publish = ssm, site = EXAMPLE-T2, benchmarks = ["
            + "{ queue = long, kind = HEPscore23, value = 12.5 }, { queue = short, kind = hepspec, value = 11 },"
            + "{ queue = long, kind = hepscore23, value = 13, from = \"2026-02-01\" } ] }\n"
            + "gelato.tokens.issuers = [ { issuer = \"https://iam.example.org/\", vo = wlcg } ]\n";

    private static List<String> problems(String text) {
        ConfigurationException e = catchThrowableOfType(ConfigurationException.class, () -> CeConfig.of(FILE, text));
        return e == null ? List.of() : e.problems();
    }

    @Test
    void nothingIsPublishedByDefault() {
        AccountingSettings settings =
                CeConfig.of(FILE, "gelato.port = 1").accounting().settings();
        assertThat(settings.publishes()).isFalse();
    }

    @Test
    void aCompleteSectionIsTaken() {
        AccountingConfig accounting = CeConfig.of(
                        FILE, COMPLETE + "gelato.accounting { since = \"2026-01-01\", several-benchmarks = true }")
                .accounting();
        AccountingSettings settings = accounting.settings();
        assertThat(settings.publish()).isEqualTo(Publishing.SSM);
        assertThat(settings.form()).isEqualTo(Form.SEVERAL_BENCHMARKS);
        assertThat(settings.machine()).isEqualTo("ce.example.org");
        assertThat(settings.endpoint()).isEqualTo("ce.example.org:8443");
        assertThat(settings.since()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(settings.benchmarks().queues()).containsExactly("long", "short");
        TokenIdentity token = new TokenIdentity(
                "https://iam.example.org/", "ada", null, Set.of(), false, List.of(), "", null, Instant.now());
        assertThat(accounting.groups().of(token)).contains("/wlcg");
    }

    @Test
    void theSiteOfTheInformationSystemIsTheDefault() {
        String without = COMPLETE.replace("site = EXAMPLE-T2, ", "") + "gelato.information.site = EXAMPLE-T3\n";
        assertThat(CeConfig.of(FILE, without).accounting().settings().site()).isEqualTo("EXAMPLE-T3");
        assertThat(CeConfig.of(FILE, COMPLETE + "gelato.information.site = EXAMPLE-T3\n")
                        .accounting()
                        .settings()
                        .site())
                .isEqualTo("EXAMPLE-T2");
    }

    @Test
    void aQueueWithoutBenchmarkIsNamedAndSoIsTheSite() {
        assertThat(problems("gelato.lrms.queues = [long, short], gelato.accounting { publish = ssm, benchmarks = ["
                        + "{ queue = long, kind = hepscore23, value = 12.5 } ] }"))
                .hasSize(2)
                .anyMatch(p -> p.startsWith("gelato.accounting.site and gelato.information.site are empty"))
                .anyMatch(p -> p.startsWith("gelato.accounting.benchmarks has none for queue short"));
    }

    /** An empty text would be every token, or all times. */
    @Test
    void anEmptyTextIsNotAny() {
        String rule =
                "gelato.accounting.vos = [ { issuer = \"https://iam.example.org/\", %s = \"\", fqan = \"/ops\" } ]";
        assertThat(problems(COMPLETE + rule.formatted("subject")))
                .containsExactly("gelato.accounting.vos (line 4): subject is empty: leave it out");
        assertThat(problems(COMPLETE + rule.formatted("group")))
                .containsExactly("gelato.accounting.vos (line 4): group is empty: leave it out");
        assertThat(problems(COMPLETE.replace("2026-02-01", "")))
                .contains("gelato.accounting.benchmarks (line 2): from is empty: leave it out");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "12.5|0|value is not a positive number",
                "12.5|1e3|value is not a positive number",
                "HEPscore23|apples|kind is one of",
                "queue = short|queue = other|there is no queue other; there are long, short",
                "2026-02-01|2026-02-31|2026-02-31",
                "value = 11|value = 11, form = x|there is no key form here; there are from, kind, queue, value"
            })
    void aSectionThatIsWrongIsNamedWithItsLine(String right, String wrong, String problem) {
        assertThat(problems(COMPLETE.replace(right, wrong)))
                .anyMatch(p -> p.startsWith("gelato.accounting.benchmarks (line 2): ") && p.contains(problem));
    }

    @Test
    void rulesAreOfIssuersThereAre() {
        assertThat(
                        problems(
                                COMPLETE
                                        + "gelato.accounting.vos = [ { issuer = \"https://iam.example.org/\", group = \"/wlcg/ops\", fqan = \"/ops\" } ]"))
                .isEmpty();
        assertThat(problems(COMPLETE
                        + "gelato.accounting.vos = [ { issuer = \"https://other.example.org/\", fqan = \"/ops\" } ]"))
                .containsExactly("gelato.accounting.vos (line 4): https://other.example.org/ is no issuer of"
                        + " gelato.tokens.issuers");
        assertThat(problems(
                        COMPLETE + "gelato.accounting.vos = [ { issuer = \"https://iam.example.org/\", fqan = ops } ]"))
                .hasSize(1);
    }

    /** Both would write the same jobs. */
    @Test
    void aBlahpdWritesItsLogItself() {
        String blahp = COMPLETE.replace(
                "queues = [",
                "kind = blahp, gelato.lrms.blahp { command = [/bin/blahpd],"
                        + " grid-type = lsf, accounting-log = /log }, gelato.lrms.queues = [");
        assertThat(problems(blahp)).isEmpty();
        assertThat(problems(blahp.replace("publish = ssm", "publish = blah")))
                .anyMatch(p -> p.startsWith("gelato.accounting.publish = \"blah\""));
    }
}
