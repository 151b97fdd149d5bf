package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.gelato.ce.it.badinput.RawClient;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.testkit.pki.GridCredential;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Small requests that stand for large things, ten of one user at once, twenty with {@code -Dgelato.test.long=true}: a CE with 256 MiB of
 * memory refuses them or does them, and serves the others meanwhile. Each of them ended the JVM once.
 */
class SmallRequestsIT {
    private static final int AT_ONCE = Boolean.getBoolean("gelato.test.long") ? 20 : 10;
    private static final String OPEN = "&(executable=/bin/true)(queue=long)(inputfiles=(last.txt \"\"))";
    private static final String JOBS = "/1.0/jobs?action=new";
    private static final String ACTION = "http://glite.org/2007/11/ce/cream/JobRegister";

    private static SiteCe ce;
    private static ArcUser good;
    private static ArcUser mallory;
    private static RawClient raw;
    private static ExecutorService threads;

    @BeforeAll
    static void start() {
        ce = new SiteCe("smallrequests", "fork", JobAccount.name(), Map.of());
        ce.start(ce.program("-Xmx256m", "-XX:+ExitOnOutOfMemoryError"), Map.of(), "/health/ready");
        good = new ArcUser(ce, proxy("Gus the good"));
        GridCredential other = proxy("Mallory");
        mallory = new ArcUser(ce, other);
        raw = new RawClient(ce, other);
        threads = Executors.newCachedThreadPool();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
            threads.shutdownNow();
        }
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(ce.process().isAlive()).isTrue();
        assertThat(Files.readAllLines(ce.log())).noneMatch(line -> line.contains(" ERROR "));
        await("what was held is given back")
                .until(() -> metric("ce_http_memory_held") == 0 && metric("ce_descriptions_characters_held") == 0);
    }

    private static GridCredential proxy(String name) {
        return ce.pki().proxy(ce.pki().user(name)).make();
    }

    private static double metric(String name) throws IOException {
        return raw.get("/metrics")
                .body()
                .lines()
                .filter(l -> l.startsWith(name + " "))
                .mapToDouble(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    private interface Call {
        Object send() throws Exception;
    }

    /** Sends so many at once, and what another user does meanwhile; returns the different responses. */
    private static List<Object> flood(Call call) {
        List<CompletableFuture<Object>> all = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            all.add(CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return call.send();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    threads));
        }
        for (int i = 0; i < 3; i++) {
            assertThat(good.send("GET", "/1.0/jobs", null).statusCode()).isEqualTo(200);
            String id = good.submit(OPEN);
            good.act("kill", List.of(id));
        }
        return all.stream().map(CompletableFuture::join).distinct().collect(Collectors.toList());
    }

    private static List<Object> submissions(String path, String body) {
        return flood(() -> {
            try {
                return mallory.send("POST", path, body).statusCode();
            } catch (IllegalStateException e) {
                // This client does not read a response that comes before it has sent all.
                assertThat(e).hasCauseInstanceOf(IOException.class);
                return 503;
            }
        });
    }

    @Test
    void tenThousandDescriptionsWithTenThousandInstancesEach() {
        String body = "+" + "((a))".repeat(10_000);
        assertThat(submissions(JOBS + "&instances=10000", body)).containsExactly(400);
        assertThat(mallory.send("POST", JOBS + "&instances=10000", body).body())
                .contains("100000000 job descriptions in one call, at most 5000 are accepted");
    }

    @Test
    void longNamespacesThatTenThousandDescriptionsInherit() {
        StringBuilder body = new StringBuilder("<ActivityDescriptions");
        for (int i = 0; i < 30; i++) {
            body.append(" xmlns:n")
                    .append(i)
                    .append("=\"")
                    .append("\u20ac".repeat(4000))
                    .append('"');
        }
        body.append('>').append("<ActivityDescription/>".repeat(9999)).append("</ActivityDescriptions>");
        assertThat(submissions(JOBS, body.toString())).isSubsetOf(413, 503).contains(413);
    }

    /** A description of about 40 kB. */
    private static String variable(int times) {
        return "(&(executable=/bin/true)(queue=long)(inputfiles=(last.txt \"\"))(rsl_substitution=(V "
                + "x".repeat(40_000 - 6 * times) + "))(environment="
                + String.join("", Collections.nCopies(times, "(A $(V))")) + "))";
    }

    @Test
    void variablesThatExpandToAMegabyte() {
        assertThat(submissions(JOBS + "&instances=1900", variable(27))).isSubsetOf(413, 503);
        assertThat(submissions(JOBS, "+" + variable(27).repeat(100)))
                .isSubsetOf(201, 503)
                .contains(201);
    }

    @Test
    void descriptionsThatExpandAsFarAsTheyMay() {
        assertThat(submissions(JOBS + "&instances=1900", variable(4))).isSubsetOf(413, 503);
        assertThat(submissions(JOBS, "+" + variable(4).repeat(20)))
                .isSubsetOf(201, 503)
                .contains(201);
    }

    /** JDL over SOAP: the largest number of words, each a node of a tree. */
    @Test
    void wordsOfJDL() {
        String jdl = "[ BatchSystem=\"fork\"; QueueName=\"long\"; Executable=\"/bin/true\"; X={" + "1,".repeat(9_900)
                + "}; ]";
        String one = "<t:jobDescriptionList><t:JDL>" + jdl
                + "</t:JDL><t:autoStart>false</t:autoStart></t:jobDescriptionList>";
        String body = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\""
                + " xmlns:t=\"http://glite.org/2007/11/ce/cream/types\"><s:Body><t:JobRegisterRequest>"
                + one.repeat(24) + "</t:JobRegisterRequest></s:Body></s:Envelope>";
        Map<String, String> headers =
                Map.of("Content-Type", "text/xml; charset=utf-8", "SOAPAction", "\"" + ACTION + "\"");
        assertThat(flood(() -> {
                    RawClient.Reply reply = raw.post(RawClient.CREAM2, headers, body, false);
                    boolean later =
                            reply.status() == 500 && reply.body().contains("job descriptions of this caller hold");
                    return later ? 503 : reply.status();
                }))
                .isSubsetOf(200, 503)
                .contains(200);
    }

    /** Each of a few characters, each with a result of its own. */
    @Test
    void idsOfJobs() {
        String ids = "{\"job\":[" + "{\"id\":\"a\"},".repeat(85_000) + "{\"id\":\"a\"}]}";
        assertThat(submissions("/1.0/jobs?action=kill", ids))
                .isSubsetOf(201, 503)
                .contains(201);
        assertThat(submissions("/1.0/jobs?action=info", ids))
                .isSubsetOf(201, 503)
                .contains(201);
        String filter = "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\""
                + " xmlns:t=\"http://glite.org/2007/11/ce/cream/types\"><s:Body><t:JobCancelRequest>"
                + "<t:jobId><t:id>a</t:id><t:creamURL>b</t:creamURL></t:jobId>".repeat(17_000)
                + "</t:JobCancelRequest></s:Body></s:Envelope>";
        Map<String, String> headers = Map.of(
                "Content-Type",
                "text/xml; charset=utf-8",
                "SOAPAction",
                "\"" + ACTION.replace("JobRegister", "JobCancel") + "\"");
        assertThat(flood(
                        () -> raw.post(RawClient.CREAM2, headers, filter, false).status()))
                .isSubsetOf(200, 503)
                .contains(200);
    }
}
