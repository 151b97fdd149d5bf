package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.wire.WireConnection;
import org.gelato.ce.testkit.wire.WireResponse;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The protocol as docs/developer/protocol/arc-rest.md has it; each test has a user of its own. */
@ExtendWith(SharedCe.class)
class ArcRestIT {
    private static final String TRUE = "&(executable=/bin/true)(queue=long)";
    private static final String SLEEP = "&(executable=/bin/sleep)(arguments=600)(queue=long)";

    private static final String TOKEN = "X-Token-Delegation";

    private static SiteCe ce;

    @BeforeAll
    static void start(SiteCe shared) {
        ce = shared;
    }

    private static ArcUser user(String name) {
        return new ArcUser(ce, ce.pki().proxy(ce.pki().user(name)).make());
    }

    @Test
    void pathsMethodsAndActionsThatDoNotExistHaveTheStatusesOfArex() {
        ArcUser ann = user("Ann of paths");
        assertThat(ann.json(200, "GET", "", null).path("version")).hasSize(2);
        for (String path : List.of("/1.0", "/2.0/info", "/1.0/nosuch", "/1.0/jobs/CREAM000000001")) {
            assertThat(ann.send("GET", path, null).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(ann.send("PUT", "/1.0/jobs", "x").statusCode()).isEqualTo(501);
        assertThat(ann.send("POST", "/1.0/jobs?action=dance", "{\"job\":[]}").statusCode())
                .isEqualTo(501);
        assertThat(ann.send("POST", "/1.0/jobs?action=new", "").statusCode()).isEqualTo(500);
        assertThat(ann.send("POST", "/1.0/jobs?action=new", "garbage").statusCode())
                .isEqualTo(500);
        assertThat(new ArcUser(ce, null).send("GET", "/1.0/info", null).statusCode())
                .isEqualTo(403);
        for (String bad : List.of("{", "<jobs>", "{\"job\":7}", "<jobs><job/></jobs>", "[]", "x")) {
            assertThat(ann.send("POST", "/1.0/jobs?action=status", bad).statusCode())
                    .as(bad)
                    .isEqualTo(400);
        }
        assertThat(ann.send("GET", "/1.0/jobs/CREAM000000001/session/%2e%2e%2fx", null)
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void theClosingTagOfADefectiveClientGetsAdvice() {
        HttpResponse<String> response =
                user("Bea of bulk").send("POST", "/1.0/jobs?action=new", "</ActivityDescriptions>");
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).contains("one by one");
    }

    @Test
    void aJobGoesFromItsDescriptionToItsRemoval() {
        ArcUser cora = user("Cora of jobs");
        String id = cora.submit("&(executable=/bin/sh)(arguments=-c 'cat in.txt; echo done > out.txt')(queue=long)"
                + "(stdout=stdout.txt)(inputfiles=(in.txt \"\"))(outputfiles=(out.txt \"\"))");
        assertThat(cora.state(id)).isEqualTo("PREPARING");
        assertThat(cora.send("PUT", "/1.0/jobs/" + id + "/session/in.txt", "some input\n")
                        .statusCode())
                .isEqualTo(200);
        cora.await(id, "FINISHED");

        JsonNode info = cora.act("info", List.of(id)).path(0);
        assertThat(info.path("status-code").asText()).isEqualTo("200");
        JsonNode activity = info.path("info_document").path("ComputingActivity");
        assertThat(activity.path("State").isArray()).isTrue();
        assertThat(activity.path("State").toString()).contains("\"arcrest:FINISHED\"");
        assertThat(activity.path("ExitCode").asText()).isEqualTo("0");
        assertThat(activity.path("Queue").asText()).isEqualTo("long");

        assertThat(cora.json(200, "GET", "/1.0/jobs/" + id + "/session", null)
                        .path("file")
                        .toString())
                .contains("out.txt", "stdout.txt")
                .doesNotContain("in.txt");
        assertThat(cora.send("GET", "/1.0/jobs/" + id + "/session/out.txt", null)
                        .body())
                .isEqualTo("done\n");
        assertThat(cora.send("GET", "/1.0/jobs/" + id + "/session/stdout.txt", null, "Range", "bytes=0-3")
                        .body())
                .isEqualTo("some");
        assertThat(cora.send("PROPFIND", "/1.0/jobs/" + id + "/session", null, "Depth", "1")
                        .body())
                .contains("<d:href>https://localhost:" + ce.port() + "/arex/rest/1.0/jobs/" + id + "/session/out.txt<")
                .contains("<d:getcontentlength>5<");
        assertThat(cora.send("PUT", "/1.0/jobs/" + id + "/session/in.txt", "late")
                        .statusCode())
                .isEqualTo(403);
        assertThat(cora.send("GET", "/1.0/jobs/" + id + "/diagnose/status", null)
                        .body())
                .isEqualTo("FINISHED\n");

        assertThat(cora.act("clean", List.of(id)).path(0).path("status-code").asText())
                .isEqualTo("202");
        Awaitility.await()
                .until(() -> cora.act("status", List.of(id))
                        .path(0)
                        .path("status-code")
                        .asText()
                        .equals("404"));
    }

    @Test
    void aRequestOfVersion11NamesTheQueueAndTheNumberOfJobs() {
        ArcUser quin = user("Quin of queues");
        String path = "/1.1/jobs?action=new&queue=short&instances=3&instances_min=2";
        JsonNode jobs = quin.json(201, "POST", path, "&(executable=/bin/true)").path("job");
        assertThat(jobs).hasSize(3);
        String id = jobs.path(2).path("id").asText();
        assertThat(quin.act("info", List.of(id))
                        .path(0)
                        .path("info_document")
                        .path("ComputingActivity")
                        .path("Queue")
                        .asText())
                .isEqualTo("short");
        JsonNode other =
                quin.json(201, "POST", "/1.1/jobs?action=new&queue=short", TRUE).path("job");
        assertThat(other.path(0).path("reason").asText()).contains("long", "short", "name one");
        for (String bad : List.of("queue=", "instances=0", "instances=2&instances_min=3", "instances_min=x")) {
            assertThat(quin.send("POST", "/1.1/jobs?action=new&" + bad, TRUE).statusCode())
                    .as(bad)
                    .isEqualTo(400);
        }
    }

    @Test
    void manyJobsInOneRequestEachHaveTheirAnswer() {
        ArcUser dora = user("Dora of many");
        JsonNode jobs = dora.json(
                        201, "POST", "/1.0/jobs?action=new", "+(" + TRUE + ")(&(executable=/bin/true)(queue=nosuch))")
                .path("job");
        assertThat(jobs).hasSize(2);
        assertThat(jobs.path(0).path("status-code").asText()).isEqualTo("201");
        assertThat(jobs.path(1).path("status-code").asText()).isEqualTo("500");
        assertThat(jobs.path(1).path("reason").asText()).contains("nosuch");
        String id = jobs.path(0).path("id").asText();
        dora.await(id, "FINISHED");

        // HTCondor sends back what the list was.
        String list = dora.send("GET", "/1.0/jobs", null, "Accept", "application/json")
                .body();
        assertThat(list).isEqualTo("{\"job\":[{\"id\":\"" + id + "\"}]}");
        JsonNode states =
                dora.json(201, "POST", "/1.0/jobs?action=status", list).path("job");
        assertThat(states.toString())
                .isEqualTo(
                        "[{\"status-code\":\"200\",\"reason\":\"OK\",\"id\":\"" + id + "\",\"state\":\"FINISHED\"}]");
        assertThat(dora.send("GET", "/1.0/jobs?state=RUNNING,NOSUCH", null, "Accept", "text/xml")
                        .body())
                .isEqualTo("<jobs>\n</jobs>\n");
        assertThat(dora.json(201, "POST", "/1.0/jobs?action=status", "{\"job\":[]}")
                        .path("job"))
                .isEmpty();
        List<String> unknown = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            unknown.add(String.format("CREAM%09d", i));
        }
        assertThat(dora.act("status", unknown)).hasSize(5000);
    }

    @Test
    void jobsOfOthersAreUnknown() {
        ArcUser emma = user("Emma of own jobs");
        String id = emma.submit(SLEEP);
        ArcUser fred = user("Fred the curious");
        for (String action : List.of("status", "info", "kill", "clean", "restart", "delegations")) {
            assertThat(fred.act(action, List.of(id)).path(0).path("status-code").asText())
                    .as(action)
                    .isEqualTo("404");
        }
        assertThat(fred.send("GET", "/1.0/jobs/" + id + "/session", null).statusCode())
                .isEqualTo(404);
        assertThat(fred.send("GET", "/1.0/jobs/" + id + "/diagnose/description", null)
                        .statusCode())
                .isEqualTo(404);
        assertThat(emma.act("kill", List.of(id)).path(0).path("status-code").asText())
                .isEqualTo("202");
        emma.await(id, "KILLED");
        assertThat(emma.act("kill", List.of(id)).path(0).path("status-code").asText())
                .isEqualTo("202");
    }

    @Test
    void oneOwnerHasTheSameJobsInBothProtocols() {
        ArcUser gina = user("Gina of both");
        SiteUser old = ce.user("Gina of both");
        String id = gina.submit(SLEEP);
        String url = "https://localhost:" + ce.port() + "/" + id;
        assertThat(old.must("", "list").out()).isEqualTo(url + "\n");
        gina.await(id, "RUNNING");
        old.must("", "cancel", url);
        gina.await(id, "KILLED");

        String other = old.submit(SiteUser.sleepJob(600));
        String local = other.substring(other.lastIndexOf('/') + 1);
        gina.await(local, "RUNNING");
        gina.act("kill", List.of(local));
        old.await(other, "CANCELLED");
    }

    @Test
    void aDelegationIsListedWhenItHasAProxyAndRemovedWhenNoJobNeedsIt() {
        ArcUser hanna = user("Hanna of proxies");
        assertThat(hanna.json(200, "GET", "/1.1/delegations", null).path("delegation"))
                .isEmpty();
        String id = hanna.delegate();
        JsonNode listed = hanna.json(200, "GET", "/1.1/delegations", null)
                .path("delegation")
                .path(0);
        assertThat(listed.path("id").asText()).isEqualTo(id);
        assertThat(listed.path("type").asText()).isEqualTo("x509");
        assertThat(hanna.send("POST", "/1.0/delegations/" + id + "?action=get", "")
                        .body())
                .startsWith("-----BEGIN CERTIFICATE-----");
        assertThat(hanna.send("POST", "/1.0/delegations/" + id + "?action=renew", "")
                        .statusCode())
                .isEqualTo(201);

        String job = hanna.submit("&(executable=/bin/sleep)(arguments=600)(queue=long)(delegationid=" + id + ")");
        assertThat(hanna.act("delegations", List.of(job))
                        .path(0)
                        .path("delegation_id")
                        .asText())
                .isEqualTo(id);
        assertThat(hanna.send("POST", "/1.0/delegations/" + id + "?action=delete", "")
                        .statusCode())
                .isEqualTo(409);
        hanna.act("kill", List.of(job));
        hanna.await(job, "KILLED");
        assertThat(hanna.send("POST", "/1.0/delegations/" + id + "?action=delete", "")
                        .statusCode())
                .isEqualTo(202);
        assertThat(hanna.send("POST", "/1.0/delegations/" + id + "?action=get", "")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void aJobFindsTheTokenThatWasDelegatedForIt() {
        ArcUser jan = user("Jan of tokens");
        String token = token("first", 3600);
        String make = "/1.1/delegations?action=new&type=jwt";
        assertThat(jan.send("POST", make, "").statusCode()).isEqualTo(501);
        for (String bad : List.of("x", "Bearer ", "e30.e30.c2ln", token("ended", -5))) {
            assertThat(jan.send("POST", make, "", TOKEN, bad).statusCode())
                    .as(bad)
                    .isEqualTo(400);
        }
        HttpResponse<String> made = jan.send("POST", make, "", TOKEN, "Bearer " + token);
        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(made.body()).isEmpty();
        String location = made.headers().firstValue("location").orElseThrow();
        String id = location.substring(location.lastIndexOf('/') + 1);

        JsonNode listed = jan.json(200, "GET", "/1.1/delegations", null).path("delegation");
        assertThat(listed).hasSize(1);
        assertThat(listed.path(0).path("id").asText()).isEqualTo(id);
        assertThat(listed.path(0).path("type").asText()).isEqualTo("jwt");
        assertThat(jan.json(200, "GET", "/1.0/delegations", null).path("delegation"))
                .isEmpty();
        String one = "/delegations/" + id + "?action=";
        assertThat(jan.send("POST", "/1.0" + one + "get", "").statusCode()).isEqualTo(404);
        assertThat(jan.send("POST", "/1.1" + one + "get", "").body())
                .contains("\"jti\":\"first\"")
                .doesNotContain("c2ln");
        ArcUser eve = user("Eve of tokens");
        for (String action : List.of("get", "renew", "delete")) {
            assertThat(eve.send("POST", "/1.1" + one + action, "", TOKEN, token).statusCode())
                    .as(action)
                    .isEqualTo(404);
        }
        String renewed = token("second", 7200);
        assertThat(jan.send("POST", "/1.1" + one + "renew", "").statusCode()).isEqualTo(501);
        assertThat(jan.send("POST", "/1.1" + one + "renew", "", TOKEN, renewed).statusCode())
                .isEqualTo(200);

        String job =
                jan.submit("&(executable=/bin/sh)(arguments=-c 'cat $BEARER_TOKEN_FILE; stat -c %a $BEARER_TOKEN_FILE;"
                        + " echo ${X509_USER_PROXY-none}')(queue=long)(stdout=out)(delegationid=" + id + ")");
        jan.await(job, "FINISHED");
        assertThat(jan.send("GET", "/1.0/jobs/" + job + "/session/out", null).body())
                .isEqualTo(renewed + "\n600\nnone\n");
        assertThat(jan.send("POST", "/1.1" + one + "delete", "").statusCode()).isEqualTo(202);
        assertThat(jan.json(200, "GET", "/1.1/delegations", null).path("delegation"))
                .isEmpty();
    }

    @Test
    void theHeaderLocationOfADelegatedTokenIsInLowerCaseAndItsLastPartTheId() {
        GridCredential proxy = ce.pki().proxy(ce.pki().user("Lou of locations")).make();
        try (WireConnection wire = WireConnection.to(ce.port(), ce.pki(), proxy, Duration.ofSeconds(30))) {
            WireResponse made = wire.send(
                    "POST",
                    "/arex/rest/1.1/delegations?action=new&type=jwt",
                    Map.of(TOKEN, token("a", 3600)),
                    new byte[0]);
            assertThat(made.status()).isEqualTo(201);
            String id = new ArcUser(ce, proxy)
                    .json(200, "GET", "/1.1/delegations", null)
                    .path("delegation")
                    .path(0)
                    .path("id")
                    .asText();
            assertThat(made.lines()).contains("location: /arex/rest/1.1/delegations/" + id);
        }
    }

    /** Signed by nobody: it is for other services. */
    private static String token(String jti, int seconds) {
        String claims = "{\"jti\":\"" + jti + "\",\"exp\":"
                + Instant.now().plusSeconds(seconds).getEpochSecond() + "}";
        return "e30."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8))
                + ".c2ln";
    }

    @Test
    void theSiteIsDescribedWithAShareForEachQueueAndVo() {
        JsonNode service = user("Ina of sites")
                .json(200, "GET", "/1.0/info?schema=glue2", null)
                .at("/Domains/AdminDomain/Services/ComputingService");
        List<String> shares = new ArrayList<>();
        service.path("ComputingShare")
                .forEach(share -> shares.add(share.path("ID").asText()));
        assertThat(shares)
                .containsExactlyInAnyOrder(
                        "urn:ogf:ComputingShare:localhost:long",
                        "urn:ogf:ComputingShare:localhost:long_dteam",
                        "urn:ogf:ComputingShare:localhost:short",
                        "urn:ogf:ComputingShare:localhost:short_dteam");
        assertThat(service.at("/ComputingShare/1/RunningJobs").isTextual()).isTrue();
        assertThat(service.at("/ComputingEndpoint/0/InterfaceName").asText()).isEqualTo("org.nordugrid.arcrest");
    }

    @Test
    void aStrangerIsRefused() {
        GridCredential stranger = ce.pki().user("Kim of nowhere");
        assertThat(new ArcUser(ce, stranger)
                        .send("GET", "/1.0/delegations", null)
                        .statusCode())
                .isEqualTo(403);
    }
}
