package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.soap.XmlResponse;
import org.gelato.ce.ws.web.CeInstance;
import org.gelato.ce.ws.web.Version;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServiceInfoTest extends Cream2TestBase {
    private static final String LIMITS = "Threshold for Active Jobs: -1 => Detected value: 7";

    @BeforeEach
    void open() {
        server.admission.state = new Admission.State(true, null, LIMITS);
    }

    private static XmlResponse ask(int verbosity) throws Exception {
        return ok(
                "ServiceInfo", "<t:ServiceInfoRequest>" + verbosity + "</t:ServiceInfoRequest>", "ServiceInfoResponse");
    }

    @Test
    void saysWhatItIs() throws Exception {
        XmlResponse info = ask(0);
        assertThat(info.names(XmlResponse.T))
                .containsExactly(
                        "interfaceVersion",
                        "serviceVersion",
                        "description",
                        "startupTime",
                        "doesAcceptNewJobSubmissions",
                        "status");
        assertThat(info.at("interfaceVersion").text()).isEqualTo("2.1");
        assertThat(info.at("serviceVersion").text()).isEqualTo(Version.ofCream(Version.text()));
        assertThat(info.at("description").text()).isEqualTo("CREAM 2");
        assertThat(info.at("startupTime").text()).isEqualTo("2026-01-01T00:00:00.000Z");
        assertThat(info.at("doesAcceptNewJobSubmissions").text()).isEqualTo("true");
        assertThat(info.at("status").text()).isEqualTo("RUNNING");
    }

    @Test
    void showsTheLimitsOnRequest() throws Exception {
        XmlResponse info = ask(2);
        assertThat(info.at("property").names(XmlResponse.T)).containsExactly("name", "value");
        assertThat(info.at("property", "name").text()).isEqualTo("SUBMISSION_THRESHOLD_MESSAGE");
        assertThat(info.at("property", "value").text()).isEqualTo(LIMITS);
        assertThat(info.names(XmlResponse.T)).doesNotContain("message");
    }

    @Test
    void showsTheConfiguredQueuesOfTheBatchSystem() throws Exception {
        server.cluster = new ClusterStatus(
                        "22.05.8",
                        OptionalInt.of(500),
                        OptionalInt.of(480),
                        List.of(
                                new ClusterStatus.Queue(
                                        "long",
                                        true,
                                        false,
                                        OptionalInt.of(400),
                                        OptionalInt.of(380),
                                        Duration.ofDays(3),
                                        OptionalInt.of(12)),
                                new ClusterStatus.Queue(
                                        "secret",
                                        true,
                                        true,
                                        OptionalInt.empty(),
                                        OptionalInt.empty(),
                                        null,
                                        OptionalInt.empty())))
                .withApi("slurmrestd v0.0.38");
        assertThat(ask(2).text())
                .contains("LRMSslurm 22.05.8", "LRMS_APIslurmrestd v0.0.38", "LRMS_SLOTStotal=500 free=480")
                .contains("QUEUE_longaccepts=yes starts=no slots=400 free=380 maxWallTime=259200 maxRunning=12")
                .doesNotContain("secret");
        server.cluster = null;
        assertThat(ask(2).text())
                .contains("LRMSslurm", "QUEUE_longconfigured")
                .doesNotContain("LRMS_API", "LRMS_SLOTS");
    }

    @Test
    void saysWhyJobsOfAQueueWait() throws Exception {
        server.waits.put("long", "3 jobs: no slot is free");
        assertThat(ask(2).text())
                .contains("WAITING_long3 jobs: no slot is free")
                .doesNotContain("WAITING_short");
        server.waits.clear();
        assertThat(ask(2).text()).doesNotContain("WAITING_");
    }

    @Test
    void saysWhyItIsClosed() throws Exception {
        server.admission.state = new Admission.State(false, "active jobs: 5001, limit 5000", LIMITS);
        XmlResponse info = ask(2);
        assertThat(info.at("doesAcceptNewJobSubmissions").text()).isEqualTo("false");
        assertThat(info.names(XmlResponse.T)).endsWith("property", "status", "message");
        assertThat(info.at("message").names(XmlResponse.T)).containsExactly("type", "message", "timastamp");
        assertThat(info.at("message", "type").text()).isEqualTo("SUBMISSION_ERROR_MESSAGE");
        assertThat(info.at("message", "message").text()).isEqualTo("active jobs: 5001, limit 5000");
        assertThat(info.at("message", "timastamp").text()).isEqualTo("2026-01-02T03:04:05.678Z");
        assertThat(ask(1).names(XmlResponse.T)).doesNotContain("property", "message");
    }

    @Test
    void withoutGridftpItSaysThatOldClientsCannotUpload() throws Exception {
        String property = "<property><name>GRIDFTP</name><value>off: ";
        assertThat(written(false, 2)).containsOnlyOnce(property).contains("glite-ce-*");
        assertThat(written(true, 2)).doesNotContain("GRIDFTP");
        assertThat(written(false, 0)).doesNotContain("<property>");
    }

    private static String written(boolean gridFtp, int verbosity) throws IOException {
        ServiceInfoReply reply = new ServiceInfoReply(
                new CeInstance(URI.create("https://ce.example.org:8443"), "1", Instant.EPOCH),
                server.admission,
                new ClusterProperties("slurm", List.of(), Optional::empty, queue -> Optional.empty()),
                gridFtp,
                Clock.systemUTC());
        ElementWriter writer = new ElementWriter();
        reply.at(verbosity).accept(writer);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        writer.flush(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aVerbosityThatIsNoNumberIsRefused() throws Exception {
        fault(
                call("ServiceInfo", "<t:ServiceInfoRequest>lots</t:ServiceInfoRequest>"),
                "GenericFault",
                "Client",
                "ServiceInfoRequest must be a whole number of 32 bits but is \"lots\"");
    }
}
