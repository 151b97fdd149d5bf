package org.gelato.ce.ws.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ServletContextEvent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.ws.parts.Parts;
import org.gelato.ce.ws.server.FakeServices;
import org.gelato.ce.ws.server.ServerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** As the container of a site sees the application: under its context path, configured by a parameter. */
class WebApplicationTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @TempDir
    private Path directory;

    private final FakeServices fake = new FakeServices();
    private final Tomcat tomcat = new Tomcat();
    private WebApplication application;
    private Context context;
    private int working;

    @BeforeEach
    void prepare() {
        tomcat.setSilent(true);
        tomcat.setBaseDir(directory.toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        context = tomcat.addContext("/ce-cream", directory.toString());
        application = new WebApplication(foundation -> new Parts(
                fake.callers(), List.of(), fake.endpoints(ServerFixture.LIMITS), ignored -> {}, () -> working++));
        context.addServletContainerInitializer(
                (classes, c) -> application.contextInitialized(new ServletContextEvent(c)), Set.of());
    }

    @AfterEach
    void stop() throws LifecycleException {
        application.contextDestroyed(new ServletContextEvent(context.getServletContext()));
        tomcat.stop();
        tomcat.destroy();
    }

    @Test
    void clientsSeeTheSamePathsAsOfTheEmbeddedServer() throws Exception {
        DatabaseConfig database = DB.config();
        Files.writeString(directory.resolve("password"), database.password());
        Path file = Files.writeString(
                directory.resolve("gelato.conf"),
                "gelato { home = \".\", database { url = \"%s\", user = \"%s\", password-file = password } }"
                        .formatted(database.url(), database.user()));
        context.addParameter("gelato.config", file.toString());
        fake.files.put("env.out", "hello".getBytes(java.nio.charset.StandardCharsets.UTF_8));

        tomcat.start();

        assertThat(working).isOne();
        assertThat(get("/ce-cream/output/" + FakeServices.JOB + "/env.out")).isEqualTo("200 hello");
        assertThat(get("/ce-cream/wrapper-events")).startsWith("405");
        assertThat(get("/ce-cream/wrapper-messages")).startsWith("405");
        assertThat(get("/ce-cream/health/ready")).startsWith("200").contains("\"database\"");
        assertThat(get("/ce-cream/metrics")).startsWith("200");
    }

    @Test
    void doesNotStartWithoutConfigurationAndSaysWhatIsMissing() {
        context.addParameter("gelato.config", "");

        assertThatThrownBy(tomcat::start)
                .isInstanceOf(LifecycleException.class)
                .rootCause()
                .hasMessageContaining("gelato.config");
        assertThat(context.getState()).isNotEqualTo(LifecycleState.STARTED);
    }

    @Test
    void doesNotStartWithoutThePortThatJobIdsName() throws Exception {
        Path file = Files.writeString(directory.resolve("gelato.conf"), "gelato { home = \".\", port = 0 }");
        context.addParameter("gelato.config", file.toString());

        assertThatThrownBy(tomcat::start)
                .isInstanceOf(LifecycleException.class)
                .rootCause()
                .hasMessageContaining("gelato.port = 0");
    }

    private String get(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path);
        var response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).header("X-Caller", "alice").build(), BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }
}
