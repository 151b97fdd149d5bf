package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.core.lrms.type.LrmsSite.Unsupported;
import org.gelato.ce.core.lrms.type.LrmsTypes;
import org.junit.jupiter.api.Test;

class CondorSiteTest {
    private static final String NO_JOB = "Couldn't find/hold all jobs matching constraint (false)\n";

    private static ScriptedAccounts host(String hold, String here, String nodes) {
        return new ScriptedAccounts(call -> switch (call.program()) {
            case "condor_hold" -> ScriptedAccounts.done(1, "", hold);
            case "condor_config_val" ->
                switch (call.run().argv().get(1)) {
                    case "SCHEDD_HOST" -> ScriptedAccounts.done(1, "", "Not defined: SCHEDD_HOST\n");
                    case "UID_DOMAIN" -> ScriptedAccounts.done(0, "accounts.org\n", "");
                    default -> ScriptedAccounts.done(0, here + "\n", "");
                };
            default -> ScriptedAccounts.done(0, nodes, "");
        });
    }

    private static Optional<Unsupported> check(CondorConfig config, ScriptedAccounts accounts) {
        return new CondorSite(config).unsupported(accounts, "dteam001").join();
    }

    @Test
    void itIsFoundByItsName() {
        assertThat(LrmsTypes.named("condor")).containsInstanceOf(CondorType.class);
    }

    @Test
    void theHelperIsGivenWhatIsRun() {
        CondorSite site =
                new CondorSite(Records.with(CondorConfig.DEFAULT, "configFile", Path.of("/etc/condor/condor_config")));
        assertThat(site.helperLines())
                .extracting(HelperLine::text)
                .contains(
                        "executable=/usr/bin/condor_submit",
                        "self_environment=CONDOR_CONFIG=/etc/condor/condor_config",
                        "self_executable=/usr/bin/condor_q -totals")
                .filteredOn(line -> line.startsWith("self_executable="))
                .as("it reads")
                .allMatch(line -> line.matches("self_executable=/usr/bin/condor_(q|status|history|config_val) .*"));
    }

    /** Whoever speaks with another schedd does not see the jobs of this one. */
    @Test
    void itIsTheScheddThatTheConfigurationNames() {
        String none = "Not defined: SCHEDD_HOST\n";
        String name = "SCHEDD_NAME = ce\n # at: /etc/condor/condor_config, line 7\n # raw: SCHEDD_NAME = $(X)\n";
        String host = "FULL_HOSTNAME = CE1.example.org\n # at: <Detected>\n";
        assertThat(CondorSite.schedd(none + "Not defined: SCHEDD_NAME\n" + host))
                .contains("schedd ce1.example.org");
        assertThat(CondorSite.schedd(none + name + host)).contains("schedd ce@ce1.example.org");
        assertThat(CondorSite.schedd("SCHEDD_HOST = s.example.org\n # at: x\n" + name + host))
                .contains("schedd s.example.org");
        assertThat(CondorSite.schedd("")).isEmpty();
    }

    @Test
    void aScheddThatTakesNothingFromTheAccountIsNamed() {
        String denied = "SECMAN:2010:Received \"DENIED\" from server for user bob@x using method FS.\n" + NO_JOB;
        assertThat(check(CondorConfig.DEFAULT, host(denied, "x", "x\n")))
                .hasValueSatisfying(found -> assertThat(found.what()).contains("dteam001", "DENIED"));
        assertThat(new CondorSite(CondorConfig.DEFAULT)
                        .refusal(host(denied, "x", "x\n"), "dteam001")
                        .join())
                .isPresent();
        assertThat(check(CondorConfig.DEFAULT, host(NO_JOB, "x", "x\n"))).isEmpty();
        assertThat(new CondorSite(CondorConfig.DEFAULT)
                        .unsupported(host("Can't find address for schedd vm\n", "x", "x\n"), "dteam001"))
                .as("another check's finding")
                .isCompletedExceptionally();
    }

    @Test
    void filesThatNoNodeSharesAreNamedWhereTheyAreNeeded() {
        ScriptedAccounts other = host(NO_JOB, "ce.example.org", "wn1.example.org\nwn2.example.org\n");
        assertThat(check(CondorConfig.DEFAULT, other))
                .hasValueSatisfying(found -> assertThat(found.what()).contains("FILESYSTEM_DOMAIN", "ce.example.org"));
        assertThat(check(Records.with(CondorConfig.DEFAULT, "nodesSeeSandboxes", false), other))
                .isEmpty();
        assertThat(check(CondorConfig.DEFAULT, host(NO_JOB, "example.org", "other\nExample.org\n")))
                .isEmpty();
        assertThat(check(CondorConfig.DEFAULT, host(NO_JOB, "example.org", "")))
                .as("a pool without slots")
                .isEmpty();
    }

    /** Nodes with other files get no jobs; those with other accounts do, and run them as nobody. */
    @Test
    void nodesThatRunJobsAsNobodyAreNamedWhereTheySeeTheSandboxes() {
        ScriptedAccounts other = host(NO_JOB, "x", "x\tother.org\twn1\nelse\tmore.org\twn2\n");
        assertThat(check(CondorConfig.DEFAULT, other)).hasValueSatisfying(found -> {
            assertThat(found.key()).isEqualTo("gelato.sandbox.shared");
            assertThat(found.what())
                    .startsWith("all nodes of HTCondor that see the sandboxes have the UID_DOMAIN other.org, and this"
                            + " host 'accounts.org'")
                    .doesNotContain("more.org");
            assertThat(found.inPart()).isFalse();
        });
        assertThat(check(Records.with(CondorConfig.DEFAULT, "nodesSeeSandboxes", false), other))
                .isEmpty();
        assertThat(check(CondorConfig.DEFAULT, host(NO_JOB, "x", "x\tAccounts.ORG\twn1\nelse\tmore.org\twn2\n")))
                .isEmpty();
    }

    @Test
    void aPoolWithSomeNodesThatRunJobsAsNobodyWorksInPart() {
        StringBuilder nodes = new StringBuilder("x\taccounts.org\tfits\nx\tundefined\tunknown\n");
        nodes.append("x\tother.org\twn0\n");
        assertThat(check(CondorConfig.DEFAULT, host(NO_JOB, "x", nodes.toString())))
                .hasValueSatisfying(found -> {
                    assertThat(found.inPart()).isTrue();
                    assertThat(found.what())
                            .startsWith(
                                    "nodes of HTCondor that see the sandboxes have (1: wn0) the UID_DOMAIN other.org");
                    assertThat(found.advice()).contains("requirements = TARGET.UidDomain == \"accounts.org\"");
                });
        IntStream.range(1, 7).forEach(i -> nodes.append("x\tother.org\twn" + i + "\n".repeat(2)));
        assertThat(check(CondorConfig.DEFAULT, host(NO_JOB, "x", nodes.toString())))
                .hasValueSatisfying(
                        found -> assertThat(found.what())
                                .startsWith(
                                        "nodes of HTCondor that see the sandboxes have (7: wn0, wn1, wn2, wn3, wn4, ...) the UID_DOMAIN"));
    }

    private static ScriptedAccounts events(Map<String, String> configured) {
        return new ScriptedAccounts(call -> {
            if (!call.program().equals("condor_config_val")) {
                return ScriptedAccounts.done(1, "", NO_JOB);
            }
            String name = call.run().argv().get(1);
            String value = configured.getOrDefault(name, name.equals("HISTORY") ? "/var/spool/condor/history" : null);
            return value == null
                    ? ScriptedAccounts.done(
                            1, "", "Not defined: " + call.run().argv().get(1))
                    : ScriptedAccounts.done(0, value + "\n", "");
        });
    }

    @Test
    void anEventLogThatIsOffElsewhereOrShowsTooLittleIsNamed() {
        CondorConfig config = Records.with(CondorConfig.DEFAULT, "eventLog", Path.of("/var/log/condor/EventLog"));
        Map<String, String> good = Map.of(
                "EVENT_LOG",
                "/var/log/condor/EventLog",
                "EVENT_LOG_FORMAT_OPTIONS",
                "ISO_DATE, json",
                "EVENT_LOG_JOB_AD_INFORMATION_ATTRS",
                "Owner,GelatoTag");
        assertThat(check(config, events(good))).isEmpty();
        assertThat(check(CondorConfig.DEFAULT, events(Map.of()))).isEmpty();
        Map.of(
                        "EVENT_LOG", "EVENT_LOG is off",
                        "EVENT_LOG_FORMAT_OPTIONS", "not in JSON",
                        "EVENT_LOG_JOB_AD_INFORMATION_ATTRS", "does not show GelatoTag")
                .forEach((key, words) -> {
                    Map<String, String> less = new HashMap<>(good);
                    less.remove(key);
                    assertThat(check(config, events(less))).hasValueSatisfying(found -> {
                        assertThat(found.key()).isEqualTo("gelato.lrms.condor.event-log");
                        assertThat(found.what()).contains(words);
                    });
                });
        Map<String, String> other = new HashMap<>(good);
        other.put("EVENT_LOG", "/else/EventLog");
        assertThat(check(config, events(other)))
                .hasValueSatisfying(found -> assertThat(found.what()).contains("/else/EventLog"));
    }

    @Test
    void withoutAHistoryEndsAreNotKnown() {
        assertThat(check(CondorConfig.DEFAULT, events(Map.of("HISTORY", ""))))
                .hasValueSatisfying(found -> assertThat(found.what()).contains("HISTORY is not set"));
        assertThat(check(CondorConfig.DEFAULT, events(Map.of()))).isEmpty();
    }
}
