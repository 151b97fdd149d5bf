package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.DelegationSigner;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.wire.WireConnection;
import org.gelato.ce.testkit.wire.WireResponse;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The requests of HTCondor's ARC client, byte by byte, each on a connection of its own as that client has it. The traps are those
 * of docs/developer/protocol/arc-rest.md by their numbers; docs/developer/tests.md says which test has the others. Each test has a user of
 * its own.
 */
@ExtendWith(SharedCe.class)
class HTCondorReplayIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String BASE = "/arex/rest/1.0";
    private static final String ANY_TYPE = "application/json";
    private static final String MISSPELT_TYPE = "applicaton/rsl";
    private static final byte[] NOTHING = new byte[0];
    /** Fails without the input and without the proxy of the job's delegation. */
    /** It counts, as CPU time below a hundredth of a second is not measured and so not reported. */
    private static final String PILOT = "#!/bin/sh\nset -e\ntest -s \"$X509_USER_PROXY\"\n"
            + "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done\necho pilot $1\n";

    private static final String SLEEP = "&(executable=/bin/sleep)(arguments=600)(queue=long)";

    private static SiteCe ce;

    @BeforeAll
    static void start(SiteCe shared) {
        ce = shared;
    }

    /** An HTCondor that submits for one user. */
    private record Client(GridCredential proxy) {
        static Client of(String user) {
            return new Client(ce.pki().proxy(ce.pki().user(user)).make());
        }

        /** As libcurl writes it; of an upload it waits for the server to ask for the body. */
        WireResponse send(String method, String path, String type, byte[] body) {
            String head =
                    method + " " + BASE + path + " HTTP/1.1\r\nHost: localhost:" + ce.port() + "\r\nContent-Type: "
                            + type + "\r\nAccept: application/json\r\n"
                            + switch (method) {
                                case "POST" -> "Content-Length: " + body.length + "\r\n";
                                case "PUT" -> "Content-Length: " + body.length + "\r\nExpect: 100-continue\r\n";
                                default -> "";
                            }
                            + "\r\n";
            try (WireConnection wire = WireConnection.to(ce.port(), ce.pki(), proxy, PATIENCE)) {
                return wire.exchange(head, body);
            }
        }

        WireResponse list() {
            return send("GET", "/jobs", ANY_TYPE, NOTHING);
        }

        WireResponse post(String action, String type, String body) {
            return send("POST", "/jobs?action=" + action, type, body.getBytes(StandardCharsets.UTF_8));
        }

        /** What a list of jobs is answered; a response that HTCondor or DIRAC could not read fails the test. */
        JsonNode jobs(String action, String type, String body) {
            WireResponse response = post(action, type, body);
            assertThat(response.status()).as(response.text()).isEqualTo(201);
            return listed(response);
        }

        /** The only job's response to an action that names one job. */
        JsonNode act(String action, String id) {
            JsonNode jobs = jobs(action, ANY_TYPE, "{\"job\":[{\"id\":\"" + id + "\"}]}");
            assertThat(jobs).hasSize(1);
            assertThat(jobs.path(0).path("id").asText()).isEqualTo(id);
            return jobs.path(0);
        }

        String submit(String type, String description) {
            JsonNode jobs = jobs("new", type, description);
            assertThat(jobs).hasSize(1);
            assertThat(code(jobs.path(0))).as(jobs.toString()).isEqualTo("201");
            assertThat(jobs.path(0).path("reason").isTextual()).isTrue();
            assertThat(jobs.path(0).path("state").isTextual()).isTrue();
            return jobs.path(0).path("id").asText();
        }

        void stageIn(String id, String name, String content) {
            WireResponse put =
                    send("PUT", "/jobs/" + id + "/session/" + name, ANY_TYPE, content.getBytes(StandardCharsets.UTF_8));
            assertThat(put.status()).as(put.text()).isEqualTo(200);
        }

        WireResponse requestDelegation() {
            WireResponse response = send("POST", "/delegations?action=new", ANY_TYPE, NOTHING);
            assertThat(response.status()).as(response.text()).isEqualTo(201);
            return response;
        }

        String delegate() {
            WireResponse request = requestDelegation();
            String id = afterLastSlash(location(request));
            String chain = new DelegationSigner(Clock.systemUTC())
                    .sign(proxy, request.text(), Duration.ofHours(2), DelegationSigner.Habit.MODERN);
            WireResponse put = send("PUT", "/delegations/" + id, ANY_TYPE, chain.getBytes(StandardCharsets.US_ASCII));
            assertThat(put.status()).as(put.text()).isEqualTo(200);
            return id;
        }

        /** Polls as HTCondor does: the list of all jobs, sent back. */
        String polledState(String id) {
            WireResponse all = list();
            assertThat(all.status()).isEqualTo(200);
            for (JsonNode job : jobs("status", ANY_TYPE, all.text())) {
                if (job.path("id").asText().equals(id)) {
                    return job.path("state").asText();
                }
            }
            throw new AssertionError(id + " is not in " + all.text());
        }

        void await(String id, String state) {
            Awaitility.await(id + " becomes " + state)
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> {
                        String now = polledState(id);
                        if (!now.equals(state)
                                && List.of("FINISHED", "FAILED", "KILLED").contains(now)) {
                            throw new AssertionError(id + " is " + now + ": " + act("info", id));
                        }
                        return now.equals(state);
                    });
        }
    }

    /** The header under the name that HTCondor looks for, told apart from others in capitals; fails where there is none. */
    private static String location(WireResponse response) {
        return response.lines().stream()
                .filter(line -> line.startsWith("location: "))
                .map(line -> line.substring("location: ".length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no location in " + response.lines()));
    }

    private static String afterLastSlash(String location) {
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private static JsonNode listed(WireResponse response) {
        JsonNode document;
        try {
            document = JSON.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(response.text(), e);
        }
        assertThat(document.path("job").isArray()).as(response.text()).isTrue();
        assertTextsAlone(document);
        return document.path("job");
    }

    private static void assertTextsAlone(JsonNode node) {
        if (node.isValueNode()) {
            assertThat(node.isTextual()).as(node.toString()).isTrue();
        }
        node.forEach(HTCondorReplayIT::assertTextsAlone);
    }

    private static String code(JsonNode job) {
        return job.path("status-code").asText();
    }

    private static String xrsl(String delegation, String argument) {
        return "&(executable=pilot.sh)(arguments=" + argument + ")(queue=long)(stdout=out.txt)"
                + "(inputfiles=(pilot.sh \"\"))(outputfiles=(out.txt \"\"))(delegationid=" + delegation + ")";
    }

    private static String adl(String delegation, String argument) {
        return "<?xml version=\"1.0\"?>\n"
                + "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\""
                + " xmlns:nordugrid-adl=\"http://www.nordugrid.org/es/2011/12/nordugrid-adl\">\n"
                + "<Application><Executable><Path>pilot.sh</Path><Argument>" + argument + "</Argument></Executable>"
                + "<Output>out.txt</Output></Application>\n"
                + "<Resources><QueueName>long</QueueName></Resources>\n"
                + "<DataStaging><nordugrid-adl:DelegationID>" + delegation + "</nordugrid-adl:DelegationID>"
                + "<InputFile><Name>pilot.sh</Name><IsExecutable>true</IsExecutable></InputFile>"
                + "<OutputFile><Name>out.txt</Name></OutputFile></DataStaging>\n"
                + "</ActivityDescription>";
    }

    @Test
    void trap1TheNameOfTheHeaderLocationIsInLowerCaseAndItsLastPartTheId() {
        Client ann = Client.of("Ann of headers");
        WireResponse made = ann.requestDelegation();
        assertThat(afterLastSlash(location(made))).matches("[A-Za-z0-9_-]+");
        assertThat(made.text()).startsWith("-----BEGIN CERTIFICATE REQUEST-----");
        String id = ann.delegate();
        WireResponse renewal = ann.send("POST", "/delegations/" + id + "?action=renew", ANY_TYPE, NOTHING);
        assertThat(renewal.status()).isEqualTo(201);
        assertThat(afterLastSlash(location(renewal))).isEqualTo(id);
    }

    @Test
    void trap2TheLocationIsWithoutTheQuery() {
        String location = location(Client.of("Bea of queries").requestDelegation());
        assertThat(location).doesNotContain("?");
        assertThat(location.substring(0, location.lastIndexOf('/'))).endsWith(BASE + "/delegations");
    }

    @Test
    void traps36And13AnXrslPilotOfAMisspeltTypeRunsAndIsReadToItsEnd() {
        Client cora = Client.of("Cora of pilots");
        runs(cora, cora.submit(MISSPELT_TYPE, xrsl(cora.delegate(), "rsl")), "rsl");
    }

    @Test
    void traps36And13AnAdlPilotRunsAndIsReadToItsEnd() {
        Client dora = Client.of("Dora of pilots");
        runs(dora, dora.submit("application/xml", adl(dora.delegate(), "adl")), "adl");
    }

    private static void runs(Client client, String id, String argument) {
        client.stageIn(id, "pilot.sh", PILOT);
        client.await(id, "FINISHED");

        JsonNode info = client.act("info", id);
        assertThat(code(info)).isEqualTo("200");
        JsonNode activity = info.path("info_document").path("ComputingActivity");
        assertThat(activity.path("State").isArray()).isTrue();
        assertThat(activity.path("State")).anyMatch(state -> state.asText().equals("arcrest:FINISHED"));
        assertThat(activity.path("ExitCode").asText()).isEqualTo("0");
        for (String time : List.of("SubmissionTime", "EndTime", "UsedTotalWallTime", "UsedTotalCPUTime")) {
            assertThat(activity.path(time).isTextual()).as(time).isTrue();
        }

        WireResponse output = client.send("GET", "/jobs/" + id + "/session/out.txt", ANY_TYPE, NOTHING);
        assertThat(output.status()).isEqualTo(200);
        assertThat(output.text()).isEqualTo("pilot " + argument + "\n");
        assertThat(code(client.act("clean", id))).isEqualTo("202");
        Awaitility.await(id + " is removed")
                .atMost(PATIENCE)
                .until(() -> code(client.act("status", id)).equals("404"));
    }

    /** HTCondor takes a terminal state with an exit code for the job's end, whatever the code (trap 3). */
    @Test
    void aPilotThatEndsWith3HasFailedWithItsExitCodeAndIsNotAmongTheFinishedOnes() {
        Client dan = Client.of("Dan of codes");
        String id = dan.submit(MISSPELT_TYPE, "&(executable=/bin/sh)(arguments=-c \"exit 3\")(queue=long)");
        dan.await(id, "FAILED");
        JsonNode activity = dan.act("info", id).path("info_document").path("ComputingActivity");
        assertThat(activity.path("State")).anyMatch(state -> state.asText().equals("arcrest:FAILED"));
        assertThat(activity.path("ExitCode").asText()).isEqualTo("3");
        assertThat(activity.path("Error").toString()).contains("wrong exit code - 3 != 0");
        assertThat(dan.send("GET", "/jobs?state=FINISHED", ANY_TYPE, NOTHING).text())
                .doesNotContain(id);
        assertThat(dan.send("GET", "/jobs?state=FAILED,KILLED", ANY_TYPE, NOTHING)
                        .text())
                .contains(id, "FAILED");
        assertThat(dan.send("GET", "/jobs/" + id + "/diagnose/failed", ANY_TYPE, NOTHING)
                        .text())
                .contains("wrong exit code - 3 != 0");
    }

    @Test
    void traps4And5NoneOneAndSeveralJobsAreListsOfTexts() {
        Client emma = Client.of("Emma of lists");
        assertThat(emma.list().text()).isEqualTo("{\"job\":[]}");
        assertThat(emma.jobs("status", ANY_TYPE, emma.list().text())).isEmpty();
        String one = emma.submit(MISSPELT_TYPE, SLEEP);
        assertThat(listed(emma.list())).hasSize(1);
        for (String action : List.of("status", "info", "kill")) {
            emma.act(action, one);
        }
        String two = emma.submit(MISSPELT_TYPE, SLEEP);
        assertThat(listed(emma.list()).findValuesAsText("id")).containsExactlyInAnyOrder(one, two);
        emma.act("kill", two);
    }

    @Test
    void trap7TheListIsSentBackWithFieldsThatAreNotKnownAndWith5000Ids() {
        Client fay = Client.of("Fay of polls");
        String id = fay.submit(MISSPELT_TYPE, SLEEP);
        assertThat(fay.polledState(id)).isNotEmpty();
        String grown = "{\"queried\":{\"at\":[1,2]},\"job\":[{\"new\":null,\"id\":\"" + id
                + "\",\"state\":\"RUNNING\",\"deep\":{\"id\":[\"other\"]}},"
                + IntStream.range(1, 5000)
                        .mapToObj(i -> String.format("{\"id\":\"CREAM%09d\",\"status-code\":\"200\",\"n\":%d}", i, i))
                        .collect(Collectors.joining(","))
                + "]}";
        JsonNode jobs = fay.jobs("status", ANY_TYPE, grown);
        assertThat(jobs).hasSize(5000);
        assertThat(code(jobs.path(0))).isEqualTo("200");
        assertThat(jobs.path(0).path("id").asText()).isEqualTo(id);
        // The whole poll fails for HTCondor when one job has no state.
        assertThat(jobs).allMatch(job -> job.path("state").isTextual());
        assertThat(jobs.path(4999).path("id").asText()).isEqualTo("CREAM000004999");
        assertThat(code(jobs.path(4999))).isEqualTo("404");
        fay.act("kill", id);
    }

    @Test
    void trap8OneJobMayBeAnObject() {
        Client gina = Client.of("Gina of objects");
        String id = gina.submit(MISSPELT_TYPE, SLEEP);
        for (String action : List.of("status", "info", "delegations", "kill")) {
            JsonNode jobs = gina.jobs(action, ANY_TYPE, "{\"job\":{\"id\":\"" + id + "\"}}");
            assertThat(jobs).as(action).hasSize(1);
            assertThat(jobs.path(0).path("id").asText()).isEqualTo(id);
            assertThat(code(jobs.path(0))).isEqualTo(action.equals("kill") ? "202" : "200");
        }
    }

    @Test
    void trap12APingIsExactly200AndHasNoMoreThanIds() {
        Client hanna = Client.of("Hanna of pings");
        assertThat(hanna.list().status()).isEqualTo(200);
        String id = hanna.submit(MISSPELT_TYPE, SLEEP);
        WireResponse ping = hanna.list();
        assertThat(ping.status()).isEqualTo(200);
        assertThat(ping.text()).isEqualTo("{\"job\":[{\"id\":\"" + id + "\"}]}");
        hanna.act("kill", id);
    }

    @Test
    void trap13EachJobHasADelegationOfItsOwnAndAKeyCostsOnce() {
        Client ida = Client.of("Ida of keys");
        WireResponse one = ida.requestDelegation();
        WireResponse two = ida.requestDelegation();
        assertThat(location(one)).isNotEqualTo(location(two));
        assertThat(one.text()).isEqualTo(two.text());
        assertThat(Client.of("Ike of keys").requestDelegation().text()).isNotEqualTo(one.text());
    }

    @Test
    void trap13KillAndCleanAreExactly202ForTheJob() {
        Client jane = Client.of("Jane of ends");
        String id = jane.submit(MISSPELT_TYPE, SLEEP);
        jane.await(id, "RUNNING");
        assertThat(code(jane.act("kill", id))).isEqualTo("202");
        jane.await(id, "KILLED");
        assertThat(code(jane.act("clean", id))).isEqualTo("202");
    }

    /** What condor_rm sends, one right after the other; nobody asks for the job again. */
    @Test
    void trap13CleanRightAfterKillIs202AndNothingIsLeft() {
        Client kate = Client.of("Kate of removals");
        String id = kate.submit(MISSPELT_TYPE, SLEEP);
        kate.await(id, "RUNNING");
        assertThat(code(kate.act("clean", id))).as("nobody has killed it").isEqualTo("409");
        assertThat(code(kate.act("kill", id))).isEqualTo("202");
        assertThat(code(kate.act("clean", id))).isEqualTo("202");
        Awaitility.await("the job has gone").until(() -> kate.list().text().equals("{\"job\":[]}"));
    }

    /** A ping that fails is a CE that is down: jobs would be idle for ever, and their user would not learn why. */
    @Test
    void somebodyWhoIsNoUserHereHasNoJobsAndIsRefusedWithAReasonWhenHeSubmits() {
        GridCredential lee = ce.pki().user("Lee of another VO");
        Client unmapped = new Client(
                ce.pki().proxy(lee).issuer(ce.pki().vo("other")).fqans("/other").make());
        assertThat(unmapped.list().status()).isEqualTo(200);
        assertThat(unmapped.list().text()).isEqualTo("{\"job\":[]}");
        for (WireResponse refused : List.of(
                unmapped.send("POST", "/delegations?action=new", ANY_TYPE, NOTHING),
                unmapped.post("new", MISSPELT_TYPE, SLEEP))) {
            assertThat(refused.status()).isEqualTo(403);
            assertThat(holdReason(refused)).contains(lee.subject() + " not authorized");
        }
    }

    /** An empty list would say that his jobs are gone. */
    @Test
    void aUserWithJobsWhoIsNoneAnyMoreIsRefusedAtThePing() throws IOException {
        GridCredential nat = ce.pki().user("Nat of bans");
        Client client = new Client(ce.pki().proxy(nat).make());
        String id = client.submit(MISSPELT_TYPE, SLEEP);
        Files.writeString(ce.gridmap().resolveSibling("ban"), "\"" + nat.subject() + "\"\n", StandardOpenOption.APPEND);
        Awaitility.await("the ban list is read").until(() -> client.list().status() == 403);
        assertThat(holdReason(client.list())).contains("the user is banned on this CE");
        assertThat(code(Client.of("Kim of others").act("kill", id))).isEqualTo("404");
    }

    @Test
    void aMissingOutputFileIsRefusedWithAReason() {
        Client mia = Client.of("Mia of files");
        String id = mia.submit(MISSPELT_TYPE, SLEEP);
        WireResponse missing = mia.send("GET", "/jobs/" + id + "/session/none", ANY_TYPE, NOTHING);
        assertThat(missing.status()).isEqualTo(404);
        assertThat(holdReason(missing)).isEqualTo("no such file");
    }

    /** HTCondor reads line by line and takes {@code message} below {@code error}. */
    private static String holdReason(WireResponse refused) {
        List<String> lines = refused.text().lines().toList();
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).isEqualTo("{");
        assertThat(lines.get(1)).isEqualTo("\"error\": {");
        assertThat(lines.get(2)).startsWith("\"message\": \"").endsWith("\"");
        return lines.get(2).substring("\"message\": \"".length(), lines.get(2).length() - 1);
    }
}
