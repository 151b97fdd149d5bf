package org.gelato.ce.it.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteDatabase;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The server of the database is made read-only for a while: every protocol says so with 503, health within a check, the log once. */
class ReadOnlyDatabaseIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SOAP =
            "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>%s</s:Body></s:Envelope>";
    private static final String REGISTER =
            SOAP.formatted("<t:JobRegisterRequest xmlns:t=\"http://glite.org/2007/11/ce/cream/types\">"
                    + "<t:jobDescriptionList><t:JDL>[ Executable = \"/bin/true\"; BatchSystem = \"fork\"; QueueName = \"long\" ]</t:JDL>"
                    + "<t:autoStart>false</t:autoStart></t:jobDescriptionList></t:JobRegisterRequest>");
    private static final String DELEGATE = SOAP.formatted(
            "<d:getProxyReq xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"><delegationID>d1</delegationID></d:getProxyReq>");

    /** A request that writes, in some protocol. */
    private record Call(String method, String path, String type, String body) {}

    private static final List<Call> CALLS = List.of(
            new Call("POST", "/ce-cream/services/CREAM2", "text/xml", REGISTER),
            new Call("POST", "/ce-cream/services/gridsite-delegation", "text/xml", DELEGATE),
            new Call("POST", "/arex/rest/1.1/delegations?action=new", "application/json", ""),
            new Call(
                    "POST", "/arex/rest/1.1/jobs?action=new", "application/rsl", "&(executable=/bin/true)(queue=long)"),
            new Call("PUT", "/ce-cream/admin/drains?queue=short&reason=later", "application/json", ""));

    private static HttpResponse<String> send(HttpClient http, SiteCe ce, Call call) {
        try {
            return http.send(
                    HttpRequest.newBuilder(URI.create("https://localhost:" + ce.port() + call.path()))
                            .timeout(PATIENCE)
                            .header("Content-Type", call.type())
                            .method(call.method(), BodyPublishers.ofString(call.body()))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(call.path(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static List<String> lines(SiteCe ce) throws IOException {
        return Files.readAllLines(ce.log());
    }

    @Test
    void everyProtocolSaysTryAgainAndTheLogHasOneLine() throws IOException {
        Assumptions.assumeTrue(System.getProperty("gelato.test.db.url", "").isEmpty());
        try (SiteDatabase database = SiteDatabase.start();
                SiteCe ce = new SiteCe("read-only", "fork", JobAccount.name(), database.settings())) {
            GridCredential alice = ce.pki().user("Alice");
            Files.writeString(ce.base().resolve("admins"), "\"" + DnForms.slash(alice.subject()) + "\"\n");
            ce.start();
            HttpClient http = HttpClient.newBuilder()
                    .sslContext(ce.tls(ce.pki().proxy(alice).make()))
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
            Call health = new Call("GET", "/health/ready", "text/plain", "");
            assertThat(send(http, ce, health).statusCode()).isEqualTo(200);

            database.administer("SET GLOBAL read_only = 1");
            int before = lines(ce).size();
            for (int round = 0; round < 3; round++) {
                for (Call call : CALLS) {
                    HttpResponse<String> response = send(http, ce, call);
                    assertThat(response.statusCode())
                            .as(call.path() + ": " + response.body())
                            .isEqualTo(503);
                    assertThat(response.headers().firstValue("Retry-After"))
                            .as(call.path())
                            .isPresent();
                }
            }
            await().atMost(PATIENCE).untilAsserted(() -> {
                HttpResponse<String> response = send(http, ce, health);
                assertThat(response.statusCode()).isEqualTo(503);
                assertThat(response.body()).contains("takes no changes: the server is read-only");
            });
            List<String> lines = lines(ce).subList(before, lines(ce).size());
            assertThat(lines)
                    .filteredOn(line -> line.contains("the database: "))
                    .hasSize(1);
            assertThat(lines).noneMatch(line -> line.contains("Cannot serve") || line.contains(" failed, error "));

            database.administer("SET GLOBAL read_only = 0");
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(send(http, ce, health).statusCode()).isEqualTo(200));
            for (Call call : CALLS) {
                HttpResponse<String> response = send(http, ce, call);
                assertThat(response.statusCode())
                        .as(call.path() + ": " + response.body())
                        .isLessThan(300);
            }
        }
    }
}
