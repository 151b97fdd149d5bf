package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.token.TestIssuer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bearer tokens instead of certificates, as docs/admin/tokens.md has it; each test has a subject of its own. */
class TokenIT {
    private static final String ISSUER = "https://iam.example.org/";
    private static final String TRUE = "&(executable=/bin/true)(queue=long)";
    private static final String ALL = "compute.read compute.create compute.modify compute.cancel";

    private static SiteCe ce;
    private static TestIssuer issuer;

    @BeforeAll
    static void start() throws Exception {
        issuer = TestIssuer.create(ISSUER, Clock.systemUTC());
        Path keys = issuer.writeJwks(Files.createTempFile("issuer", ".json"));
        ce = new SiteCe(
                "tokens",
                "fork",
                JobAccount.name(),
                Map.of(
                        "gelato.lrms.fork.slots",
                        4,
                        "gelato.tokens.issuers",
                        List.of(Map.of("issuer", ISSUER, "vo", "cms", "keys", keys.toString()))));
        Path map = ce.gridmap();
        Files.writeString(
                map,
                Files.readString(map)
                        + "\"" + ISSUER + " scope=compute.read\" " + JobAccount.name() + "\n"
                        + "\"" + ISSUER + " group=/cms/pilots\" " + JobAccount.name() + "\n"
                        + "\"" + ISSUER + ",hal\" " + JobAccount.name() + "\n");
        Files.writeString(ce.base().resolve("ban"), "\"" + ISSUER + ",banned one\"\n");
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static String audience() {
        return "https://localhost:" + ce.port();
    }

    private static String scoped(String subject, String scopes) {
        return issuer.token(subject, audience()).claim("scope", scopes).sign();
    }

    private static ArcUser user(String token) {
        return new ArcUser(ce, null, token);
    }

    private static HttpResponse<String> send(String token, String method, String path, String body, String... headers) {
        return user(token).send(method, path, body, headers);
    }

    private static String job(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        assertThat(response.body()).contains("\"201\"");
        return response.body().replaceFirst("(?s).*\"id\":\"([^\"]*)\".*", "$1");
    }

    @Test
    void aTokenAloneRunsAJobAndReadsItsOutput() {
        String token = scoped("ann", ALL);
        String id = job(send(
                token,
                "POST",
                "/1.0/jobs?action=new",
                "&(executable=/bin/cat)(arguments=in.txt)(queue=long)(stdout=out.txt)(inputfiles=(in.txt \"\"))",
                "Accept",
                "application/json"));
        assertThat(send(token, "PUT", "/1.0/jobs/" + id + "/session/in.txt", "by a token\n")
                        .statusCode())
                .isEqualTo(200);
        user(token).await(id, "FINISHED");
        assertThat(send(token, "GET", "/1.0/jobs/" + id + "/session/out.txt", null)
                        .body())
                .isEqualTo("by a token\n");
        // Nobody else's: of another subject of the same issuer and account.
        assertThat(send(scoped("another", ALL), "GET", "/1.0/jobs/" + id + "/session/out.txt", null)
                        .statusCode())
                .isEqualTo(404);
        assertThat(send(scoped("another", ALL), "GET", "/1.0/jobs", null).body())
                .doesNotContain(id);
    }

    @Test
    void eachOperationNeedsItsScope() {
        String reader = scoped("bob", "compute.read");
        HttpResponse<String> refused = send(reader, "POST", "/1.0/jobs?action=new", TRUE);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
                .contains("error=\"insufficient_scope\"", "scope=\"compute.create\"");
        assertThat(send(reader, "GET", "/1.0/jobs", null).statusCode()).isEqualTo(200);
        String id = job(send(
                scoped("bob", "compute.read compute.create"),
                "POST",
                "/1.0/jobs?action=new",
                TRUE,
                "Accept",
                "application/json"));
        for (String action : List.of("kill", "clean", "restart")) {
            assertThat(send(reader, "POST", "/1.0/jobs?action=" + action, "{\"job\":[{\"id\":\"" + id + "\"}]}")
                            .statusCode())
                    .as(action)
                    .isEqualTo(403);
        }
    }

    @Test
    void aGroupMapsWhereThereIsNoCapability() {
        String token = issuer.token("carl", audience())
                .claim("scope", null)
                .claim("wlcg.groups", List.of("/cms/pilots"))
                .sign();
        assertThat(send(token, "GET", "/1.0/jobs", null).statusCode()).isEqualTo(200);
        String other = issuer.token("carl", audience())
                .claim("scope", null)
                .claim("wlcg.groups", List.of("/cms"))
                .sign();
        HttpResponse<String> ping = send(other, "GET", "/1.0/jobs", null, "Accept", "application/json");
        assertThat(ping.statusCode()).isEqualTo(200);
        assertThat(ping.body()).isEqualTo("{\"job\":[]}");
        HttpResponse<String> refused = send(other, "GET", "/1.0/delegations", null);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains(ISSUER + ",carl not authorized", "/cms");
    }

    @Test
    void refusalsNameTheClaim() {
        HttpResponse<String> none = new ArcUser(ce, null).send("GET", "/1.0/jobs", null);
        assertThat(none.statusCode()).isEqualTo(401);
        assertThat(none.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"ce\"");
        String elsewhere = issuer.token("dora", "https://other.example.org")
                .claim("scope", ALL)
                .sign();
        HttpResponse<String> wrong = send(elsewhere, "GET", "/1.0/jobs", null);
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.headers().firstValue("WWW-Authenticate").orElseThrow())
                .contains("error=\"invalid_token\"", "aud");
        assertThat(send("a b", "GET", "/1.0/jobs", null).statusCode()).isEqualTo(400);
        assertThat(send(scoped("banned one", ALL), "GET", "/1.0/delegations", null)
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void aTokenAuthorizesAndTheProxyBesideItIsDelegated() {
        GridCredential proxy = ce.pki().proxy(ce.pki().user("Gil of both")).make();
        ArcUser both = new ArcUser(ce, proxy, scoped("gil", ALL));
        String id =
                both.submit("&(executable=/bin/sh)(arguments=-c 'openssl x509 -in $X509_USER_PROXY -noout -subject')"
                        + "(queue=long)(stdout=out.txt)(delegationid=" + both.delegate() + ")");
        both.await(id, "FINISHED");
        assertThat(user(scoped("gil", ALL))
                        .send("GET", "/1.0/jobs/" + id + "/session/out.txt", null)
                        .body())
                .contains("Gil of both");
        assertThat(new ArcUser(ce, proxy).send("GET", "/1.0/jobs", null).body())
                .as("the jobs of the proxy's owner")
                .doesNotContain(id);
    }

    @Test
    void aDeclaredPersonSeesTheSameJobsByProxyAndByToken() throws Exception {
        GridCredential ida = ce.pki().user("Ida of two");
        String dn = DnForms.slash(DnForms.rfc2253(ida.certificate().getSubjectX500Principal()));
        Files.writeString(
                ce.gridmap(), "\"" + ISSUER + ",ida\" \"" + dn + "\" /dteam\n" + Files.readString(ce.gridmap()));
        ArcUser byProxy = new ArcUser(ce, ce.pki().proxy(ida).make());
        ArcUser byToken = user(scoped("ida", ALL));
        Awaitility.await("the grid-mapfile is read again")
                .atMost(Duration.ofMinutes(1))
                .until(() -> byToken.send("GET", "/1.0/jobs", null).statusCode() == 200
                        && byToken.submit(TRUE) != null
                        && byProxy.send("GET", "/1.0/jobs", null).body().contains("CREAM"));
        String id = byProxy.submit(TRUE);
        assertThat(byToken.send("GET", "/1.0/jobs", null).body()).contains(id);
    }

    @Test
    void theServicesOfSoapTakeTokensToo() throws Exception {
        String call = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body/></s:Envelope>";
        assertThat(soap(scoped("hal", "compute.read"), call).body()).contains("JobListResponse");
        HttpResponse<String> refused = soap(scoped("hal", "compute.create"), call);
        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).contains("compute.read");
        assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
                .contains("scope=\"compute.read\"");
    }

    private static HttpResponse<String> soap(String token, String call) throws Exception {
        HttpClient http = HttpClient.newBuilder().sslContext(ce.tls(null)).build();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + ce.port() + "/ce-cream/services/CREAM2"))
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"\"")
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(call))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aBadTokenBesideAGoodProxyIsRefused() {
        ArcUser user =
                new ArcUser(ce, ce.pki().proxy(ce.pki().user("Eve of both")).make());
        assertThat(user.send("GET", "/1.0/jobs", null).statusCode()).isEqualTo(200);
        ArcUser both =
                new ArcUser(ce, ce.pki().proxy(ce.pki().user("Eve of both")).make(), "a.b.c");
        assertThat(both.send("GET", "/1.0/jobs", null).statusCode()).isEqualTo(401);
    }

    @Test
    void theAuditLogNamesIssuerSubjectAndNumber() throws Exception {
        send(
                issuer.token("fay", audience())
                        .claim("scope", ALL)
                        .claim("jti", "no-17")
                        .sign(),
                "GET",
                "/1.0/jobs",
                null);
        send(issuer.token("fay", "https://x").claim("jti", "no-18").sign(), "GET", "/1.0/jobs", null);
        send(scoped("banned one", ALL), "GET", "/1.0/jobs", null);
        String log = Files.readString(ce.base().resolve("state").resolve("audit.log"));
        assertThat(log).contains("iss=" + ISSUER + " sub=fay jti=no-17", "iss=" + ISSUER + " sub=fay jti=no-18");
        assertThat(log.lines().filter(line -> line.contains("\"event\":\"banned\"")))
                .isNotEmpty()
                .allMatch(line -> line.contains("\"dn\":\"" + ISSUER + ",banned one\"")
                        && line.contains("iss=" + ISSUER + " sub=banned one"));
    }
}
