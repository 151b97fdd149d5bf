package org.gelato.ce.it.war;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.it.site.SiteCe;

/**
 * A Tomcat as it is published, with a CATALINA_BASE made as in {@code docs/admin/tomcat.md}: its connector, the jars beside
 * it, the WAR, {@code bin/setenv.sh}. Lies in the directory of the CE that runs in it.
 */
final class StockTomcat {
    static final Path WAR = Path.of("..", "ce-ws", "target", "ce-cream.war");

    private static final Path HOME = Path.of(System.getProperty("gelato.stock-tomcat", "target/stock-tomcat"))
            .toAbsolutePath();
    private static final Path CONNECTOR_LIBRARIES = Path.of("..", "ce-ws", "target", "tomcat-lib");
    private static final Path DOCUMENT = Path.of("..", "docs", "admin", "tomcat.md");
    private static final Pattern DOCUMENTED_CONNECTOR =
            Pattern.compile("```xml\\s*(<Connector .*?</Connector>)\\s*```", Pattern.DOTALL);
    private static final Pattern STOCK_CONNECTOR = Pattern.compile("<Connector port=\"8080\"[^>]*/>");

    private final SiteCe ce;
    private final Path base;

    private StockTomcat(SiteCe ce) {
        this.ce = ce;
        this.base = ce.base().resolve("tomcat");
    }

    /** Makes everything; nothing runs yet. */
    static StockTomcat install(SiteCe ce) {
        StockTomcat tomcat = new StockTomcat(ce);
        try {
            for (String name : List.of("bin", "conf", "lib", "logs", "temp", "webapps", "work")) {
                Files.createDirectories(tomcat.base.resolve(name));
            }
            copy(HOME.resolve("conf"), tomcat.base.resolve("conf"));
            copy(CONNECTOR_LIBRARIES, tomcat.base.resolve("lib"));
            Files.copy(WAR, tomcat.base.resolve("webapps").resolve("ce-cream.war"));
            tomcat.writeServerXml();
            tomcat.writeSetenv();
            return tomcat;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The jars of the Tomcat itself. */
    static List<Path> libraries() throws IOException {
        try (Stream<Path> all = Files.list(HOME.resolve("lib"))) {
            return all.filter(p -> p.toString().endsWith(".jar")).toList();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.list(from)) {
            for (Path p : all.filter(Files::isRegularFile).toList()) {
                Files.copy(p, to.resolve(p.getFileName()));
            }
        }
    }

    private void writeServerXml() throws IOException {
        String connector = found(DOCUMENTED_CONNECTOR, Files.readString(DOCUMENT))
                .group(1)
                .replace("port=\"8443\"", "address=\"127.0.0.1\" port=\"" + ce.port() + "\"")
                .replace(
                        "/etc/grid-security/hostcert.pem",
                        ce.pki().hostCertificate().toString())
                .replace("/etc/grid-security/hostkey.pem", ce.pki().hostKey().toString());
        Path file = base.resolve("conf").resolve("server.xml");
        String stock = Files.readString(file);
        Matcher place = found(STOCK_CONNECTOR, stock);
        String ours = stock.substring(0, place.start()) + connector + stock.substring(place.end());
        Files.writeString(file, ours.replace("<Server port=\"8005\"", "<Server port=\"-1\""));
    }

    private static Matcher found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("nothing matches " + pattern);
        }
        return matcher;
    }

    private void writeSetenv() throws IOException {
        Files.writeString(
                base.resolve("bin").resolve("setenv.sh"),
                String.join(
                        " ",
                        "CATALINA_OPTS='-Xmx512m",
                        "-Dgelato.config=" + ce.configuration(),
                        "-Dgelato.tls.ca-dir=" + ce.pki().certificates(),
                        "-Dgelato.tls.voms-dir=" + ce.pki().vomsdir() + "'\n"));
    }

    /** Starts it and waits until the CE in it is ready. */
    void start() {
        try {
            ce.start(
                    List.of(
                            "/bin/sh",
                            HOME.resolve("bin").resolve("catalina.sh").toString(),
                            "run"),
                    Map.of(
                            "JAVA_HOME", System.getProperty("java.home"),
                            "CATALINA_HOME", HOME.toString(),
                            "CATALINA_BASE", base.toString()),
                    "/ce-cream/health/ready");
        } catch (RuntimeException e) {
            throw new IllegalStateException(String.join("\n", log()), e);
        }
    }

    /** All it has logged, on the console and in its files. */
    List<String> log() {
        try (Stream<Path> files = Files.list(base.resolve("logs"))) {
            return Stream.concat(
                            Stream.of(ce.log()), files.filter(f -> f.toString().endsWith(".log")))
                    .flatMap(StockTomcat::lines)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
