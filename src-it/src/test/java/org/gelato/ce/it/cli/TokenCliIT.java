package org.gelato.ce.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteIssuer;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.SiteUser.Outcome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands with a bearer token and no proxy, by both protocols; each test has a subject of its own. */
class TokenCliIT {
    private static final SiteIssuer ISSUER = new SiteIssuer("cms");

    private static SiteCe ce;

    @BeforeAll
    static void start() throws IOException {
        Map<String, Object> settings = new HashMap<>(ISSUER.trust());
        settings.put("gelato.lrms.fork.slots", 4);
        settings.put("gelato.jobs.lease-sweep-interval", "1 s");
        ce = new SiteCe("token-cli", "fork", JobAccount.name(), settings);
        ISSUER.map(ce);
        Files.writeString(ce.base().resolve("admins"), "\"" + SiteIssuer.owner("root of tokens") + "\"\n");
        Files.writeString(ce.base().resolve("greeting.txt"), "hello\n");
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static SiteUser user(String subject) {
        return SiteUser.byToken(ce, ISSUER.token(ce, subject));
    }

    private static Path file(String name, String text) throws IOException {
        return Files.writeString(ce.base().resolve(name), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"arcrest", "cream2"})
    void aJobGoesFromItsInputToItsRemoval(String protocol) throws IOException {
        SiteUser ann = user("ann of " + protocol);
        file(
                protocol + ".jdl",
                "[ Executable = \"/bin/bash\";"
                        + " Arguments = \"-c 'cat greeting.txt; echo proxy=$X509_USER_PROXY.'\";"
                        + " InputSandbox = {\"greeting.txt\"}; StdOutput = \"said\"; OutputSandbox = {\"said\"};"
                        + " OutputSandboxBaseDestURI = \"gsiftp://localhost\" ]");
        Outcome submitted = ann.must("", "--protocol", protocol, "submit", "--wait", protocol + ".jdl");
        String id = submitted.out().strip();
        assertThat(id).matches("https://localhost:" + ce.port() + "/CREAM[0-9]{9}");
        assertThat(ann.must("", "--protocol", protocol, "status", id).out())
                .startsWith(id + " DONE-OK ")
                .endsWith(" exit=0\n");
        assertThat(ann.must("", "--protocol", protocol, "list").out()).isEqualTo(id + "\n");
        JsonNode info = ann.must("", "--protocol", protocol, "info", "--json", id)
                .json()
                .at("/jobs/0");
        assertThat(info.path("localUser").asText()).isEqualTo(JobAccount.name());
        assertThat(info.has("delegationId")).isFalse();
        ann.must("", "--protocol", protocol, "output", "-d", protocol, id);
        assertThat(ce.base().resolve(protocol).resolve("said")).hasContent("hello\nproxy=.");
        ann.must("", "--protocol", protocol, "purge", id);
        assertThat(ann.run("", "--protocol", protocol, "status", id).err()).containsIgnoringCase("job not found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"arcrest", "cream2"})
    void aRunningJobIsCancelled(String protocol) {
        SiteUser ben = user("ben of " + protocol);
        String id = ben.submit(SiteUser.sleepJob(600), "--protocol", protocol);
        ben.await(id, "RUNNING");
        ben.must("", "--protocol", protocol, "cancel", id);
        ben.await(id, "CANCELLED");
        assertThat(ben.must("", "--protocol", protocol, "status", "--all").out())
                .contains(id + " CANCELLED");
    }

    @Test
    void aLeaseThatRunsOutCancelsAJobWithoutProxy() {
        SiteUser lea = user("lea");
        String id = lea.submit(SiteUser.sleepJob(600), "--protocol", "cream2");
        lea.await(id, "RUNNING");
        lea.must("", "--protocol", "cream2", "lease", "set", "L1", "-T", "2");
        lea.must("", "--protocol", "cream2", "lease", "attach", "-L", "L1", id);
        lea.await(id, "CANCELLED");
        assertThat(lea.must("", "--protocol", "cream2", "info", "--json", id)
                        .json()
                        .at("/jobs/0/history")
                        .toString())
                .contains("Job cancelled by Lease Manager! (try ");
    }

    @Test
    void adlAndXrslRunByTheirFirstCharacter() throws IOException {
        SiteUser kim = user("kim");
        file(
                "job.xrsl",
                "&(executable=/bin/cat)(arguments=in.txt)(stdout=out)(inputfiles=(in.txt \"greeting.txt\"))(queue=long)");
        file(
                "job.adl",
                "<?xml version=\"1.0\"?><ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"><Application>"
                        + "<Executable><Path>/bin/cat</Path><Argument>greeting.txt</Argument></Executable>"
                        + "<Output>out</Output></Application><DataStaging><InputFile><Name>greeting.txt</Name></InputFile>"
                        + "</DataStaging></ActivityDescription>");
        for (String file : new String[] {"job.xrsl", "job.adl"}) {
            String id = kim.must("", "submit", "--wait", file).out().strip();
            kim.must("", "--protocol", "arcrest", "output", "-d", "of " + file, id);
            assertThat(ce.base().resolve("of " + file).resolve("out")).hasContent("hello");
            Outcome refused = kim.run("", "--protocol", "cream2", "submit", file);
            assertThat(refused.exit()).isEqualTo(1);
            assertThat(refused.err())
                    .contains(file + ": CREAM2 takes JDL alone, and this is ", "use --protocol arcrest")
                    .hasLineCount(1);
        }
        file("other.xrsl", "&(executable=/bin/true)(queue=short)");
        assertThat(kim.run("", "submit", "other.xrsl").err()).contains("short", "long", "name one of them");
    }

    /** The queues in the form that -r takes, and what ARC REST has not by CREAM2. */
    @Test
    void theUsualProtocolOfATokenLacksNothing() {
        SiteUser pia = user("pia");
        assertThat(pia.must("", "service-info").out()).contains("cream-fork-long ", "by ARC REST");
        String first = pia.submit(SiteUser.shellJob("exit 3"));
        pia.await(first, "DONE-OK");
        assertThat(pia.must("", "usage", "--by", "user").out()).contains("pia");
        assertThat(pia.must("", "events").out()).contains(first);
        List<String> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(pia.submit(SiteUser.sleepJob(600)));
        }
        String last = waiting.get(4);
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(
                        () -> assertThat(pia.must("", "status", last).out()).contains("waits for a slot"));
        assertThat(pia.must("", "list", "--table").out()).containsPattern("IDLE +\\d+s +\\d+s +long ");
        assertThat(pia.run("", "--protocol", "arcrest", "usage").err()).contains("use --protocol cream2");
        pia.must("", "cancel", "--all", "--status", "IDLE,RUNNING,REALLY-RUNNING,PENDING");
        pia.await(waiting, "CANCELLED");
    }

    @Test
    void anAdministratorFindsTheJobsOfASubject() {
        String id = user("eva").submit(SiteUser.sleepJob(1));
        user("another").submit(SiteUser.sleepJob(1));
        SiteUser root = user("root of tokens");
        JsonNode jobs = root.must(
                        "", "--protocol", "cream2", "jobs", "--json", "--all", "--dn", SiteIssuer.owner("eva"))
                .json()
                .path("jobs");
        assertThat(jobs).hasSize(1);
        assertThat(id).endsWith(jobs.at("/0/id").asText());
        assertThat(jobs.at("/0/dn").asText()).isEqualTo(SiteIssuer.owner("eva"));
        assertThat(jobs.at("/0/vo").asText()).isEqualTo("cms");
        assertThat(user("eva").run("", "--protocol", "cream2", "jobs").err()).contains("only administrators");
    }

    @ParameterizedTest
    @ValueSource(strings = {"arcrest", "cream2"})
    void whatATokenCantDoIsSaid(String protocol) {
        SiteUser dan = user("dan");
        assertThat(dan.run("", "--protocol", protocol, "delegate").err())
                .contains("there is no proxy to delegate, only a token: submit without a delegation");
        assertThat(dan.run("", "--protocol", protocol, "renew", "d1").err())
                .contains("there is no proxy to delegate, only a token");
        SiteUser reader = SiteUser.byToken(ce, ISSUER.token(ce, "dan", "compute.read"));
        Outcome refused = reader.run(SiteUser.sleepJob(1), "--protocol", protocol, "submit", "-");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("compute.create").doesNotContain("proxy");
        String other = dan.run(SiteUser.sleepJob(1), "--protocol", protocol, "submit", "-D", "nosuch", "-")
                .err();
        assertThat(other).contains("nosuch");
    }
}
