package org.gelato.ce.it.war;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteDatabase;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The WAR in a Tomcat as it is published, with a database of the site's: the same paths, the same job, a clean end. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StockTomcatIT {
    private static SiteDatabase database;
    private static SiteCe ce;
    private static StockTomcat tomcat;

    @BeforeAll
    static void start() {
        database = SiteDatabase.start();
        ce = new SiteCe("tomcat", "fork", account(), database.settings());
        tomcat = StockTomcat.install(ce);
        tomcat.start();
    }

    /** Jobs never run as root. */
    private static String account() {
        String own = System.getProperty("user.name");
        return own.equals("root") ? "nobody" : own;
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
        if (database != null) {
            database.close();
        }
    }

    @Test
    @Order(1)
    void theWarHoldsNothingThatTomcatOrTheSiteHas() throws IOException {
        List<String> libraries = new ArrayList<>();
        Set<String> classes = new TreeSet<>();
        try (JarFile war = new JarFile(StockTomcat.WAR.toFile())) {
            for (JarEntry entry : war.stream().toList()) {
                if (entry.getName().matches("WEB-INF/lib/.*\\.jar")) {
                    libraries.add(entry.getName().substring("WEB-INF/lib/".length()));
                    classes.addAll(classesOf(war.getInputStream(entry).readAllBytes()));
                }
            }
        }
        assertThat(libraries).anyMatch(n -> n.startsWith("ce-core-")).anyMatch(n -> n.startsWith("jaxws-rt-"));
        assertThat(libraries).noneMatch(n -> n.matches("(?i)(mariadb|tomcat|logback).*"));
        Set<String> tomcats = new TreeSet<>();
        for (Path jar : StockTomcat.libraries()) {
            tomcats.addAll(classesOf(Files.readAllBytes(jar)));
        }
        assertThat(tomcats).contains("jakarta/servlet/Servlet.class");
        classes.retainAll(tomcats);
        assertThat(classes).isEmpty();
    }

    private static Set<String> classesOf(byte[] jar) throws IOException {
        Set<String> names = new TreeSet<>();
        try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(jar))) {
            for (JarEntry e = in.getNextJarEntry(); e != null; e = in.getNextJarEntry()) {
                if (e.getName().endsWith(".class") && !e.getName().endsWith("module-info.class")) {
                    names.add(e.getName());
                }
            }
        }
        return names;
    }

    @Test
    @Order(2)
    void theSleepJobEndsWellWithItsOutput() {
        SiteUser user = ce.user("Alice Example");
        String id = user.submit(SiteUser.sleepJob(1));
        assertThat(id).startsWith("https://localhost:" + ce.port() + "/CREAM");
        String hello = user.submit(SiteUser.shellJob("echo hello"));
        user.await(List.of(id, hello), "DONE-OK");
        JsonNode info = user.info(id);
        assertThat(info.path("localUser").asText()).isEqualTo(account());
        assertThat(info.path("exitCode").asText()).isEqualTo("0");
        Path target = ce.base().resolve("output");
        user.must("", "output", "-d", target.toString(), hello);
        assertThat(target)
                .isDirectoryRecursivelyContaining(
                        p -> p.getFileName().toString().equals("env.out") && text(p).equals("hello\n"))
                .isDirectoryRecursivelyContaining(
                        p -> p.getFileName().toString().equals("env.err"));
        user.must("", "purge", id);
        user.await(id, "JobUnknownFault");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Order(3)
    void allPathsLieBelowTheContext() throws IOException {
        assertThat(page("/ce-cream/health/live")).contains("\"live\":true");
        assertThat(page("/ce-cream/health/ready")).contains("database", "helper");
        assertThat(page("/ce-cream/metrics")).contains("ce_sql_statements");
        assertThatThrownBy(() -> page("/ce-cream/wrapper-events")).hasMessageContaining("405");
        // Old clients double the slashes.
        assertThat(page("/ce-cream//services//CREAM2?wsdl"))
                .contains("https://localhost:" + ce.port() + "/ce-cream/services/CREAM2");
    }

    private static String page(String path) throws IOException {
        try (InputStream in = ce.get(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    @Order(4)
    void theConnectorRefusesWhomTheSiteDoesNotTrust() {
        Path proxy = ce.base().resolve("stranger.pem");
        ce.pki().proxy(ce.pki().stranger("Alice Example")).write(proxy);
        SiteUser.Outcome outcome = new SiteUser(ce, proxy).run("", "list");
        assertThat(outcome.exit()).isEqualTo(1);
        Awaitility.await("refusal is in Tomcat's log")
                .until(() ->
                        tomcat.log().stream().anyMatch(l -> l.matches(".*TLS client .*Alice Example.* refused.*")));
    }

    @Test
    @Order(4)
    void aPageOfAnotherSiteChangesNothing() throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + ce.port() + "/ce-cream/services/CREAM2"))
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("<x/>"));
        HttpClient client = HttpClient.newBuilder().sslContext(ce.tls(null)).build();
        assertThat(client.send(
                        request.copy().header("Origin", "https://evil.example").build(), BodyHandlers.ofString()))
                .satisfies(refused -> assertThat(refused.statusCode()).isEqualTo(403))
                .satisfies(refused -> assertThat(refused.body()).contains("https://evil.example"));
        assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode())
                .as("a program")
                .isEqualTo(415);
    }

    @Test
    @Order(5)
    void sigtermLeavesNoProcessAndNoLeak() {
        Set<ProcessHandle> family = ce.process().descendants().collect(Collectors.toSet());
        assertThat(family).as("the helper").isNotEmpty();
        ce.stop();
        Awaitility.await("all are gone").until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
        List<String> log = tomcat.log();
        assertThat(log).anyMatch(l -> l.contains("Server startup")).anyMatch(l -> l.contains("Destroying Protocol"));
        assertThat(log.stream()
                        .filter(l -> l.contains(" SEVERE ") || l.contains(" WARNING ") || l.contains("SLF4J"))
                        .filter(l -> !l.contains("SecureRandom")))
                .isEmpty();
    }
}
