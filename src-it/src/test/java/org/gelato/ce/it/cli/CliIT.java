package org.gelato.ce.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.awaitility.Awaitility;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.SiteUser.Outcome;
import org.gelato.ce.ws.boot.Main;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Each command once as text and once as JSON, with its exit code; every test has users of its own. */
class CliIT {
    private static SiteCe ce;
    private static SiteUser admin;

    @BeforeAll
    static void start() throws IOException {
        ce = new SiteCe("cli", "fork", JobAccount.name(), Map.of("gelato.lrms.fork.slots", 2));
        Files.writeString(ce.base().resolve("admins"), dn("Admin") + "\n");
        admin = ce.user("Admin");
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static String dn(String user) {
        return DnForms.slash(ce.pki().user(user).subject());
    }

    /** The pom's version is the one source: of the service, its log and the command line. */
    @Test
    void allReportOneVersion() throws Exception {
        String version = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(Path.of("../pom.xml").toFile())
                .getElementsByTagName("version")
                .item(0)
                .getTextContent();
        assertThat(version).matches("[0-9]\\.[0-9]{2,}(\\.[0-9]+)?");
        SiteUser vera = ce.user("Vera of versions");
        assertThat(vera.must("", "--version").out()).isEqualTo("ce " + version + "\n");
        assertThat(vera.must("", "service-info", "--json")
                        .json()
                        .path("serviceVersion")
                        .asText())
                .isEqualTo(version);
        Awaitility.await()
                .untilAsserted(() -> assertThat(ce.log())
                        .content()
                        .containsPattern("Ready: https://\\S+, version " + Pattern.quote(version) + "\n"));
    }

    private static List<String> lines(Outcome outcome) {
        return outcome.out().lines().toList();
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(node ->
                texts.add(node.isValueNode() ? node.asText() : node.path("id").asText()));
        return texts;
    }

    @Test
    void aJobFromItsInputToItsOutput() throws IOException {
        SiteUser ann = ce.user("Ann of files");
        Files.writeString(ce.base().resolve("greeting.txt"), "hello\n");
        Files.writeString(
                ce.base().resolve("job.jdl"),
                "[ Executable = \"/bin/cat\"; Arguments = \"greeting.txt\"; InputSandbox = {\"greeting.txt\"};"
                        + " StdOutput = \"said\"; OutputSandbox = {\"said\"};"
                        + " OutputSandboxBaseDestURI = \"gsiftp://localhost\"; ]");
        String id = ann.must("", "submit", "--wait", "job.jdl").out().strip();
        JsonNode second = ann.must("", "submit", "--wait", "--json", "job.jdl").json();
        String other = second.at("/jobs/0/id").asText();
        assertThat(second.at("/jobs/0/status").asText()).isEqualTo("DONE-OK");
        assertThat(second.path("refused")).isEmpty();

        assertThat(lines(ann.must("", "status", id)))
                .singleElement()
                .asString()
                .startsWith(id + " DONE-OK ")
                .endsWith(" exit=0");
        JsonNode status = ann.must("", "status", "--json", id, other).json();
        assertThat(texts(status.path("jobs"))).containsExactly(id, other);
        assertThat(status.at("/jobs/1/exitCode").asText()).isEqualTo("0");

        assertThat(ann.must("", "info", id).out())
                .startsWith(id + "\n")
                .contains("  History\n    REGISTERED ", "  Commands\n    JOB_REGISTER SUCCESSFULL", "greeting.txt")
                .containsPattern("Local user +" + ce.account())
                // CPU time comes in hundredths of a second, and a job may take none
                .containsPattern("Worker node +[^ ]+\n(  CPU time +[0-9.]+ s\n)?  Wall time +[0-9.]+ s\n")
                .containsPattern("Measured by +job wrapper\n");
        JsonNode usage = ann.info(id).path("usage");
        assertThat(usage.path("wallSeconds").decimalValue()).isPositive();
        assertThat(usage.path("source").asText()).isEqualTo("job wrapper");
        assertThat(ann.info(id).path("history").get(0).path("status").asText()).isEqualTo("REGISTERED");

        Outcome output = ann.must("", "output", "-d", "fetched", id);
        Path said = ce.base().resolve("fetched/said");
        assertThat(lines(output)).contains(said.toString());
        assertThat(said).hasContent("hello");
        assertThat(ann.must("", "output", "--json", other).json().at("/jobs/0/files"))
                .anySatisfy(file -> assertThat(file.path("name").asText()).isEqualTo("said"));
    }

    @Test
    void jobsAreFoundByTimeAndState() {
        SiteUser ben = ce.user("Ben of filters");
        String done = ben.submit(SiteUser.shellJob("exit 3"));
        String cancelled = ben.submit(SiteUser.sleepJob(300));
        ben.awaitHandOver(List.of(cancelled));
        ben.must("", "cancel", cancelled);
        ben.await(done, "DONE-OK");
        ben.await(cancelled, "CANCELLED");
        String hourAgo = Instant.now()
                .minus(Duration.ofHours(1))
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        String inAnHour = Instant.now()
                .plus(Duration.ofHours(1))
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();

        assertThat(lines(ben.must("", "list"))).containsExactlyInAnyOrder(done, cancelled);
        assertThat(texts(ben.must("", "list", "--json").json().path("jobs")))
                .containsExactlyInAnyOrder(done, cancelled);
        assertThat(lines(ben.must("", "list", "--from", hourAgo, "--to", inAnHour)))
                .hasSize(2);
        assertThat(ben.must("", "list", "--to", hourAgo).out()).isEmpty();
        assertThat(lines(ben.must("", "list", "--status", "DONE-OK:ABORTED", "--from", hourAgo)))
                .containsExactly(done);
        assertThat(lines(ben.must("", "status", "--status", "done-ok", "-s", "HELD")))
                .singleElement()
                .asString()
                .contains(done + " DONE-OK", "exit=3");
        assertThat(texts(ben.must("", "info", "--json", "--all", "--status", "CANCELLED")
                        .json()
                        .path("jobs")))
                .containsExactly(cancelled);
    }

    @Test
    void aWrongCommandLineIsTwoAndARefusalOne() {
        SiteUser eve = ce.user("Eve of errors");
        assertThat(eve.run("", "status").exit()).isEqualTo(2);
        assertThat(eve.run("", "purge").exit()).isEqualTo(2);
        assertThat(eve.run("", "cancel", "--status", "IDLE").exit()).isEqualTo(2);
        assertThat(eve.run("", "lease", "set", "L").exit()).isEqualTo(2);
        assertThat(eve.run("", "explain").exit()).isEqualTo(2);
        assertThat(eve.run("", "events", "--from-id", "9", "--to-id", "3").exit())
                .isEqualTo(2);
        Outcome state = eve.run("", "list", "--status", "SLEEPING");
        assertThat(state.exit()).isEqualTo(2);
        assertThat(state.err()).contains("'SLEEPING' is no job state");
        String unknown = "https://localhost:" + ce.port() + "/CREAM123456789";
        for (String command : List.of("status", "info", "cancel", "suspend", "resume", "purge")) {
            Outcome outcome = eve.run("", command, unknown);
            assertThat(outcome.exit()).as(command).isEqualTo(1);
            assertThat(outcome.err()).contains(unknown + ": ").hasLineCount(1);
        }
        assertThat(eve.run("", "status", "--json", unknown)
                        .json()
                        .at("/jobs/0/fault/kind")
                        .asText())
                .isEqualTo("JobUnknownFault");
        assertThat(eve.run("[ nonsense", "submit", "-").exit()).isNotZero();
    }

    @Test
    void aWaitingJobIsHeldAndReleased() {
        SiteUser sue = ce.user("Sue of suspend");
        List<String> running = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            running.add(sue.submit(SiteUser.sleepJob(300)));
        }
        // Other tests' jobs may be in the slots; what comes behind these waits in any case.
        sue.await(running, "REALLY-RUNNING");
        String id = sue.submit(SiteUser.shellJob("true"));
        sue.await(id, "IDLE");
        Outcome unheld = sue.run("", "suspend", running.get(0));
        assertThat(unheld.exit()).isEqualTo(1);
        assertThat(unheld.err())
                .isEqualTo(
                        "ce suspend: " + running.get(0) + ": the job is running, and fork suspends no running job\n");
        assertThat(sue.must("", "suspend", id).err()).isEqualTo("ce suspend: held 1 job\n");
        sue.await(id, "HELD");
        Outcome again = sue.run("", "suspend", "--json", id);
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.json().at("/refused/0/fault/kind").asText()).isEqualTo("JobStatusInvalidFault");
        assertThat(lines(sue.must("", "list", "--status", "HELD"))).containsExactly(id);
        assertThat(sue.must("", "resume", "--json", id).json().path("refused")).isEmpty();
        sue.await(id, "IDLE");
        assertThat(sue.run("", "resume", id).exit()).isEqualTo(1);
        sue.must(String.join("\n", running), "cancel", "-");
        sue.await(running, "CANCELLED");
        sue.await(id, "DONE-OK");
    }

    @Test
    void leases() {
        SiteUser lea = ce.user("Lea of leases");
        assertThat(lea.must("", "lease", "list").out()).isEmpty();
        assertThat(lea.must("", "lease", "set", "-T", "3600", "L1").out()).startsWith("L1 20");
        JsonNode set =
                lea.must("", "lease", "set", "--json", "-T", "1800", "L2").json();
        Instant end = Instant.parse(set.path("leaseTime").asText());
        assertThat(end).isBetween(Instant.now(), Instant.now().plus(Duration.ofMinutes(31)));
        assertThat(lea.must("", "lease", "get", "L2").out().strip()).isEqualTo("L2 " + end);
        assertThat(lea.must("", "lease", "get", "--json", "L2").json()).isEqualTo(set);
        assertThat(lines(lea.must("", "lease", "list"))).hasSize(2).anyMatch(line -> line.startsWith("L1 "));
        assertThat(lea.must("", "lease", "list", "--json").json().path("leases"))
                .contains(set);

        String id = lea.submit(SiteUser.sleepJob(300));
        assertThat(lea.must("", "lease", "attach", "-L", "L2", id).out()).isEmpty();
        assertThat(lea.info(id).path("leaseId").asText()).isEqualTo("L2");
        assertThat(lines(lea.must("", "list", "--lease", "L2"))).containsExactly(id);
        assertThat(lea.must("", "lease", "detach", "--json", id).json().path("refused"))
                .isEmpty();
        assertThat(lea.info(id).has("leaseId")).isFalse();
        assertThat(lea.must("", "lease", "delete", "L1").out()).isEmpty();
        assertThat(lea.must("", "lease", "delete", "--json", "L2")
                        .json()
                        .path("deleted")
                        .asText())
                .isEqualTo("L2");
        Outcome gone = lea.run("", "lease", "get", "L2");
        assertThat(gone.exit()).isEqualTo(1);
        assertThat(gone.err()).contains("L2").hasLineCount(1);
        Outcome late = lea.run("", "lease", "attach", "-L", "L2", id);
        assertThat(late.exit()).as("the wire's result is fine").isEqualTo(1);
        assertThat(late.err()).contains(id + ": lease id \"L2\" not found!").hasLineCount(1);
        Outcome output = lea.run("", "output", id);
        assertThat(output.exit()).isEqualTo(3);
        assertThat(output.err()).contains(id + " has not ended: ", "it has no output files yet");
        lea.awaitHandOver(List.of(id));
        lea.must("", "cancel", id);
        lea.await(id, "CANCELLED");
    }

    @Test
    void delegationsAreRenewed() {
        SiteUser ron = ce.user("Ron of renewals");
        assertThat(ron.must("", "delegate", "one").err()).contains("delegated to localhost:" + ce.port() + " as one");
        assertThat(ron.must("", "delegate", "--json", "two")
                        .json()
                        .path("delegationId")
                        .asText())
                .isEqualTo("two");
        assertThat(ron.must("", "renew", "one").err()).contains("renewed", "as one");
        Outcome some = ron.run("", "renew", "--json", "two", "nosuch");
        assertThat(some.exit()).isEqualTo(1);
        assertThat(texts(some.json().path("renewed"))).containsExactly("two");
        assertThat(some.err()).contains("nosuch").hasLineCount(1);
        assertThat(ron.must("", "list", "--delegation", "one").out()).isEmpty();
    }

    @Test
    void eventsInTheirOrderAndAsTheyCome() {
        SiteUser fay = ce.user("Fay of events");
        String first = fay.submit(SiteUser.shellJob("true"));
        fay.await(first, "DONE-OK");
        // An event is shown when no smaller id can appear any more.
        Awaitility.await("the end is shown")
                .until(() ->
                        !fay.must("", "events", "--status", "DONE-OK").out().isEmpty());
        JsonNode told = fay.must("", "events", "--json").json();
        assertThat(told.path("dbId").asText()).isNotEmpty();
        List<Long> ids = new ArrayList<>();
        told.path("events").forEach(e -> ids.add(e.path("eventId").asLong()));
        assertThat(ids).isSorted().doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(4);
        List<String> text = lines(fay.must("", "events"));
        assertThat(text).hasSize(ids.size());
        assertThat(text.get(0)).startsWith(ids.get(0) + " " + first + " REGISTERED ");
        assertThat(lines(fay.must("", "events", "--from-id", "" + ids.get(1), "--to-id", "" + ids.get(2))))
                .isEqualTo(text.subList(1, 3));
        assertThat(lines(fay.must("", "events", "--status", "DONE-OK"))).containsExactly(text.get(text.size() - 1));

        String second = fay.submit(SiteUser.shellJob("true"));
        long next = ids.get(ids.size() - 1) + 1;
        assertThat(lines(fay.must(
                        "", "events", "--follow", "--from-id", "" + next, "--status", "DONE-OK", "--max", "1")))
                .singleElement()
                .asString()
                .contains(" " + second + " DONE-OK ");
        Outcome stream = fay.must("", "events", "--follow", "--json", "--from-id", "" + next, "--max", "2");
        assertThat(lines(stream)).hasSize(2).allMatch(line -> line.contains("\"id\":\"" + second + "\""));
    }

    @Test
    void administratorsCloseOpenAndExplain() {
        SiteUser uma = ce.user("Uma of users");
        for (String command : List.of("disable", "enable")) {
            Outcome refused = uma.run("", command);
            assertThat(refused.exit()).isEqualTo(1);
            assertThat(refused.err()).isNotBlank();
        }
        assertThat(uma.run("", "explain", "--dn", dn("Uma of users")).exit()).isEqualTo(1);
        assertThat(uma.must("", "service-info").out()).contains("New jobs      accepted\n");
        assertThat(uma.must("", "service-info", "--json")
                        .json()
                        .path("acceptsJobs")
                        .asBoolean())
                .isTrue();

        Outcome mapped = admin.must("", "explain", "--dn", dn("Uma of users"), "--fqan", "/dteam");
        assertThat(mapped.out()).contains("AUTHORIZED").containsPattern("account: +" + ce.account());
        Outcome stranger = admin.run("", "explain", "--json", "--dn", "/CN=Nobody", "--fqan", "/other");
        assertThat(stranger.exit()).isEqualTo(1);
        assertThat(stranger.json().path("authorized").asBoolean(true)).isFalse();
    }

    @Test
    void administratorsListTheJobsOfAllUsers() {
        SiteUser lea = ce.user("Lea of lists");
        String ended = lea.submit(SiteUser.shellJob("true"));
        String running = lea.submit(SiteUser.shellJob("sleep 600"));
        lea.await(ended, "DONE-OK");
        Outcome refused = lea.run("", "jobs");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("only administrators of this CE may request the jobs of all users");

        lea.await(running, "REALLY-RUNNING");
        String id = running.substring(running.lastIndexOf('/') + 1);
        List<String> living = lines(admin.must("", "jobs", "--dn", dn("Lea of lists")));
        assertThat(living).hasSize(2);
        assertThat(living.get(1)).startsWith(id).contains(" REALLY-RUNNING ", " dteam ", " " + ce.account() + " ");
        JsonNode jobs = admin.must("", "jobs", "--json", "--all", "--dn", dn("Lea of lists"))
                .json()
                .path("jobs");
        assertThat(jobs).hasSize(2);
        assertThat(jobs.at("/0/state").asText()).isEqualTo("DONE-OK");
        assertThat(lines(admin.must("", "jobs", "--account", "nobody-else", "--older-than", "1d")))
                .hasSize(1);

        Outcome owner = admin.must("", "whois", id);
        assertThat(owner.out())
                .contains("user       " + ce.pki().user("Lea of lists").subject());
        String batchId = admin.must("", "jobs", "--json", "--state", "really-running", "--dn", dn("Lea of lists"))
                .json()
                .at("/jobs/0/lrmsJobId")
                .asText();
        assertThat(admin.must("", "whois", batchId).out()).contains(owner.out());
        assertThat(admin.must("", "whois", ce.account() + "@" + Instant.now()).out())
                .contains(owner.out());
        assertThat(admin.run("", "whois", "no-such-batch-id").exit()).isEqualTo(1);
        assertThat(lea.run("", "whois", batchId).exit()).isEqualTo(1);
        for (String job : List.of(id, batchId, ce.account() + "@" + Instant.now())) {
            assertThat(onTheHost(job))
                    .contains(id, "user       " + ce.pki().user("Lea of lists").subject());
        }
        assertThat(onTheHost("no-such-batch-id")).startsWith("1 no job 'no-such-batch-id' in the CE's database");
        lea.must("", "cancel", running);
        assertThat(lea.must("", "history", ended).out())
                .contains("REGISTERED", "JOB_START requested", "DONE-OK exit=0", "payload and output");
    }

    @Test
    void purgedJobsAreGone() {
        SiteUser pam = ce.user("Pam of purges");
        String one = pam.submit(SiteUser.shellJob("true"));
        String two = pam.submit(SiteUser.shellJob("true"));
        String three = pam.submit(SiteUser.shellJob("true"));
        pam.await(List.of(one, two, three), "DONE-OK");
        pam.must("", "purge", one);
        gone(pam, one);
        assertThat(pam.must("", "purge", "--all", "--status", "ABORTED").out()).isEmpty();
        assertThat(lines(pam.must("", "list"))).containsExactlyInAnyOrder(two, three);
        assertThat(pam.must("", "purge", "--all", "--json").json().path("refused"))
                .isEmpty();
        gone(pam, two);
        gone(pam, three);
        assertThat(pam.must("", "list").out()).isEmpty();
        assertThat(pam.run("", "output", two).exit()).isEqualTo(1);
    }

    /** As root on the CE's host, without a proxy. */
    private static String onTheHost(String job) {
        StringWriter out = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(out, true));
        int exit = line.execute("whois", "--config", ce.configuration().toString(), job);
        return exit + " " + out;
    }

    /** A job on its way to the batch system can't be cancelled, as with CREAM. */
    private static void gone(SiteUser user, String id) {
        Awaitility.await(id + " is purged").until(() -> user.state(id).equals("JobUnknownFault"));
    }
}
