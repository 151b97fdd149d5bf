package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_REGISTER;
import static org.gelato.ce.it.compatibility.WireOperation.SERVICE_INFO;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.it.compatibility.Bodies.Description;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Texts that public clients and test suites match on: docs/developer/protocol/cream2-wire.md section 10, each once. */
@ExtendWith(SharedSite.class)
class PublicTextsIT {
    private static ConformanceSite site;
    private static OriginalClient tess;
    private static String job;

    @BeforeAll
    static void start(ConformanceSite shared) {
        site = shared;
        tess = site.user("Tess of texts").delegate("texts", Duration.ofHours(2));
        job = tess.register("texts", OriginalClient.echo());
    }

    @Test
    void creamTestsuiteReadsTheServiceInfo() {
        Node info = tess.must(SERVICE_INFO, Bodies.serviceInfo(2)).payload();
        assertThat(info.text("interfaceVersion")).matches("[0-9]\\.[0-9]");
        assertThat(info.text("serviceVersion")).containsPattern("^[0-9]\\.[0-9]{2}");
        assertThat(info.text("description")).matches("CREAM [0-9]");
        assertThat(info.text("status")).matches("[A-Z]+");
        assertThat(info.text("doesAcceptNewJobSubmissions")).isEqualTo("true");
        assertThat(info.property("cemon_url")).isEmpty();
        assertThat(info.property("SUBMISSION_THRESHOLD_MESSAGE").orElseThrow().lines())
                .isNotEmpty()
                .allSatisfy(line ->
                        assertThat(line).matches("Threshold for (.+): -?[0-9.]+.* => Detected value for (?i:\\1): .+"))
                .anySatisfy(line -> assertThat(line).containsIgnoringCase("active jobs"))
                .anySatisfy(line -> assertThat(line).containsIgnoringCase("pending commands"));
        assertThat(tess.must(SERVICE_INFO, Bodies.serviceInfo(1)).payload().all("property"))
                .isEmpty();
    }

    @Test
    void creamTestsuiteFindsTheUnknownDelegation() {
        Fault fault = tess.call(
                        JOB_REGISTER, Bodies.register(Description.of("d", OriginalClient.echo(), "no-such-one")))
                .jobFault();
        assertThat(fault.line()).containsPattern("(?i)no-such-one.*not found");
    }

    /**
     * A call counts as failed when both words occur in what the client prints, so no success response may contain them.
     */
    @Test
    void successResponsesContainNoWordsOfFaults() {
        for (WireOperation operation : Set.of(WireOperation.JOB_STATUS, WireOperation.JOB_INFO)) {
            assertThat(tess.on(operation, job).document()).doesNotContain("FaultCause", "ErrorCode");
        }
    }

    @Test
    void creamTestsuiteKnowsTheStates() {
        assertThat(tess.state(job))
                .isIn(
                        "IDLE",
                        "REGISTERED",
                        "PENDING",
                        "RUNNING",
                        "REALLY-RUNNING",
                        "HELD",
                        "DONE-OK",
                        "DONE-FAILED",
                        "ABORTED",
                        "CANCELLED");
    }

    @Test
    void jsagaShowsTheCauseOfARefusedRegistration() {
        Fault fault = tess.call(
                        JOB_REGISTER,
                        Bodies.register(Description.of(
                                "d",
                                "[ BatchSystem = \"fork\"; QueueName = \"nosuch\"; Executable = \"/a\" ]",
                                "texts")))
                .jobFault();
        assertThat(fault.cause()).contains("nosuch");
    }

    @Test
    void theCxxClientFindsMarkAndIds() {
        Pattern id = Pattern.compile("^(https?)://([^:]+)(:[0-9]+)?/(.+)$");
        Node status = tess.on(WireOperation.JOB_STATUS, job).results().get(0);
        assertThat(status.attribute("jobDescriptionId")).matches(id).isEqualTo(site.url() + "/" + job);
        Node unknown =
                tess.on(WireOperation.JOB_STATUS, "CREAM000000000").results().get(0);
        assertThat(unknown.attribute("jobDescriptionId")).isEqualTo(site.url() + "/CREAM000000000");
        String url = status.text("jobStatus", "jobId", "creamURL");
        assertThat(url.substring(0, url.indexOf("/ce-cream/services/CREAM2")) + "/" + job)
                .matches(id);
    }

    @Test
    void arcReadsTheProxysEndAndHolder() {
        String info = tess.info(job).text("delegationProxyInfo");
        assertThat(info)
                .matches("\\[ isRFC=\"true\"; valid from=\"[^\"]+\"; valid to=\"[^\"]+\"; holder DN=\"[^\"]+\";"
                        + " holder AC issuer=\"[^\"]+\"; VO=\"dteam\"; AC issuer=\"[^\"]+\";"
                        + " VOMS attributes=\\{ /dteam[^}]* \\} \\]");
        Instant end = Instant.parse(tess.onDelegation(WireOperation.GET_TERMINATION_TIME, "texts")
                .payload()
                .text("getTerminationTimeReturn"));
        assertThat(Duration.between(ArcReading.end(info), end)).isBetween(Duration.ZERO, Duration.ofMinutes(1));
        assertThat(ArcReading.value(info, "holder DN")).contains("CN=Tess of texts");
    }

    @Test
    void arcFindsTheTimesOfItsTwoCommandsAndTheSandboxes() {
        tess.on(WireOperation.JOB_START, job);
        tess.await(job, "DONE-OK");
        Node info = tess.info(job);
        assertThat(info.all("lastCommand"))
                .extracting(c -> c.text("name"))
                .containsSubsequence("JOB_REGISTER", "JOB_START");
        assertThat(info.all("lastCommand"))
                .allSatisfy(c -> assertThat(c.text("creationTime")).isNotEmpty());
        assertThat(info.text("CREAMInputSandboxURI")).matches(site.sandboxUri("ISB"));
        assertThat(info.text("CREAMOutputSandboxURI")).endsWith("/OSB");
    }
}
