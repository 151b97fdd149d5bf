package org.gelato.ce.cli.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.cli.Main;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that get lost: which calls the client makes again, how often, and under which key. */
class RepeatedCallsTest {
    private static final String NOT_KNOWN = "it is not known whether the job was registered";
    private static final String JOB_ID =
            "<t:jobId><t:id>CREAM000000042</t:id><t:creamURL>https://localhost/ce-cream/services/CREAM2</t:creamURL></t:jobId>";

    @TempDir
    Path temp;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private TestGrid grid;
    private Path proxy;
    private RecordingCe ce;

    @BeforeEach
    void start() throws Exception {
        grid = new TestGrid(temp.resolve("grid"), "Our CA");
        proxy = grid.proxy(temp.resolve("proxy"), Duration.ofHours(1));
        ce = new RecordingCe(grid);
        ce.responses.put(
                "JobRegister",
                "<t:JobRegisterResponse><t:result jobDescriptionId=\"JobName_0\">" + JOB_ID
                        + "</t:result></t:JobRegisterResponse>");
        ce.responses.put("JobStart", "<t:JobStartResponse><t:result>" + JOB_ID + "</t:result></t:JobStartResponse>");
    }

    @AfterEach
    void stop() {
        ce.close();
    }

    private int run(String... args) {
        CliContext context = new CliContext(
                new StandardStreams(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new ByteArrayInputStream("Executable = \"/bin/true\"".getBytes(StandardCharsets.UTF_8)),
                        false),
                Map.of(
                        "X509_USER_PROXY",
                        proxy.toString(),
                        "X509_CERT_DIR",
                        grid.certificates.toString(),
                        "CE_ENDPOINT",
                        "localhost:" + ce.port(),
                        "CE_RESOURCE",
                        "localhost:" + ce.port() + "/cream-fork-demo"),
                temp,
                Clock.systemUTC(),
                time -> {},
                new SoapConnector());
        return Main.run(context, args);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private String job(int number) {
        return "https://localhost:" + ce.port() + "/CREAM" + String.format("%09d", number);
    }

    private List<String> actions() {
        return ce.requests.stream()
                .map(r -> r.contains("JobRegisterRequest") ? "register" : r.contains("JobStart") ? "start" : "other")
                .toList();
    }

    @Test
    void aRegistrationWhoseAnswerIsLostIsRepeatedUnderItsKey() {
        ce.cuts.put("JobRegister", 2);
        ce.unavailable.put("JobRegister", 1);
        assertThat(run("submit", "-D", "d", "-")).as(err()).isZero();
        assertThat(out()).isEqualTo(job(42) + "\n");
        assertThat(actions()).containsExactly("register", "register", "register", "register", "start");
        assertThat(ce.keys.keySet()).containsExactly(0, 1, 2, 3);
        assertThat(Set.copyOf(ce.keys.values())).hasSize(1).allMatch(key -> key.matches("[0-9a-f]{40}"));
        assertThat(ce.requests.subList(0, 4)).as("the same request").allMatch(ce.requests.get(0)::equals);
        String first = ce.keys.get(0);
        assertThat(run("submit", "-D", "d", "-")).as(err()).isZero();
        assertThat(ce.keys.get(5)).isNotEqualTo(first);
    }

    /** The fault may come from a database that stored the jobs and was lost before it confirmed them. */
    @Test
    void aRegistrationThatMetAnErrorOfTheCeIsRepeatedUnderItsKey() {
        ce.broken.put("JobRegister", 2);
        assertThat(run("submit", "-D", "d", "-")).as(err()).isZero();
        assertThat(actions()).containsExactly("register", "register", "register", "start");
        assertThat(ce.keys.keySet()).containsExactly(0, 1, 2);
        assertThat(Set.copyOf(ce.keys.values())).hasSize(1);
        ce.requests.clear();
        ce.broken.put("JobRegister", 100);
        assertThat(run("submit", "-D", "d", "-")).isEqualTo(1);
        assertThat(ce.requests).hasSize(3);
        assertThat(err()).contains("database error occurred").hasLineCount(1);
    }

    @Test
    void aRegistrationIsNotRepeatedForEver() {
        ce.cuts.put("JobRegister", 100);
        assertThat(run("submit", "-D", "d", "-")).isEqualTo(1);
        assertThat(ce.requests).hasSize(5);
        assertThat(err()).contains("the connection broke", NOT_KNOWN).hasLineCount(1);
        ce.requests.clear();
        ce.cuts.clear();
        ce.unavailable.put("JobRegister", 100);
        err.reset();
        assertThat(run("submit", "-D", "d", "-")).isEqualTo(1);
        assertThat(ce.requests).hasSize(5);
        assertThat(err())
                .contains("takes no calls at the moment (HTTP 503)")
                .doesNotContain("not known")
                .hasLineCount(1);
    }

    @Test
    void oneTryThatMayHaveArrivedIsEnoughToSayThatItIsNotKnown() {
        ce.cuts.put("JobRegister", 1);
        ce.unavailable.put("JobRegister", 100);
        assertThat(run("submit", "-D", "d", "-")).isEqualTo(1);
        assertThat(err()).contains("takes no calls at the moment (HTTP 503)", NOT_KNOWN);
    }

    @Test
    void aCeThatCannotBeReachedHasRegisteredNothing() {
        ce.close();
        assertThat(run("submit", "-D", "d", "-")).isEqualTo(1);
        assertThat(err()).contains("can't connect").doesNotContain("not known");
    }

    @Test
    void aStartWhoseAnswerIsLostIsRepeatedAndFindsTheJobStarted() {
        String good = ce.responses.get("JobStart");
        String fault = "<t:JobStatusInvalidFault><t:MethodName>x</t:MethodName>"
                + "<t:Timestamp>2026-11-20T12:00:00Z</t:Timestamp><t:Description>no</t:Description>"
                + "</t:JobStatusInvalidFault>";
        ce.responses.put("JobStart", good.replace("</t:jobId>", "</t:jobId>" + fault));
        assertThat(run("submit", "-D", "d", "-")).as("refused at once").isEqualTo(1);
        ce.cuts.put("JobStart", 1);
        assertThat(run("submit", "-D", "d", "-")).as(err()).isZero();
        assertThat(actions()).containsExactly("register", "start", "register", "start", "start");
        assertThat(ce.keys.keySet()).as("starts have no key").containsExactly(0, 2);
    }

    @Test
    void otherCallsAreNotRepeated() {
        ce.cuts.put("JobCancel", 1);
        assertThat(run("cancel", job(42))).isEqualTo(1);
        assertThat(ce.requests).hasSize(1);
    }
}
