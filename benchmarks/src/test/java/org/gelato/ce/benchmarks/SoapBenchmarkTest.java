package org.gelato.ce.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.RegisterRequest;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.ws.web.Authentication.Accepted;
import org.gelato.ce.ws.web.Authentication.Credential;
import org.gelato.ce.ws.web.Authentication.Refused;
import org.gelato.ce.ws.web.CallerResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the round trips go through is the product: they return what it returns, one after another, success and failure.
 */
class SoapBenchmarkTest {
    @TempDir
    Path home;

    private final SoapBenchmark benchmark = new SoapBenchmark();

    @BeforeEach
    void open() {
        benchmark.open(home);
    }

    @AfterEach
    void close() {
        benchmark.close();
    }

    private static String text(byte[] response) {
        return new String(response, StandardCharsets.UTF_8);
    }

    @Test
    void aStatusIsReturnedEachTimeItIsRequested() {
        String first = text(benchmark.jobStatus());
        assertThat(first).contains("JobStatusResponse", ">CREAM100000004<", ">DONE-OK<");
        assertThat(text(benchmark.jobRegister())).contains("JobRegisterResponse", ">CREAM100000000<", "/OSB<");
        assertThat(text(benchmark.jobStatus())).isEqualTo(first);
    }

    @Test
    void theDescriptionArrivesAsItIs() {
        AtomicReference<RegisterRequest> seen = new AtomicReference<>();
        AnsweringJobs jobs = new AnsweringJobs(home) {
            @Override
            public List<RegisterResult> register(Caller caller, RegisterRequest request) {
                seen.set(request);
                return super.register(caller, request);
            }
        };
        try (SocketlessServer server = server(request -> new Accepted(Scene.caller(), Credential.NONE), jobs)) {
            server.post(
                    SoapCalls.PATH, SoapCalls.headers("JobRegister"), SoapCalls.register(Scene.JDL, Scene.DELEGATION));
        }
        JobDescription description = seen.get().descriptions().get(0);
        assertThat(description.text()).isEqualTo(Scene.JDL);
        assertThat(description.delegationId()).isEqualTo(Scene.DELEGATION);
        assertThat(description.autoStart()).isFalse();
    }

    @Test
    void strangersAndOtherOperationsAreRefused() {
        CallerResolver refusing =
                request -> new Refused(new ServiceException.NotAuthorized("not today"), Credential.NONE);
        byte[] status = SoapCalls.status("CREAM100000004", "https://ce.example.org:8443" + SoapCalls.PATH);
        try (SocketlessServer server = server(refusing, new AnsweringJobs(home))) {
            assertThatThrownBy(() -> server.post(SoapCalls.PATH, SoapCalls.headers("JobStatus"), status))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("the status is 500: ")
                    .hasMessageContaining("not today");
            assertThatThrownBy(() -> server.post("/elsewhere", Map.of("Host", "ce.example.org"), status))
                    .hasMessageStartingWith("the status is 404: ");
        }
    }

    private SocketlessServer server(CallerResolver callers, AnsweringJobs jobs) {
        return new SocketlessServer(home, SoapBenchmark.services(callers, jobs));
    }
}
