package org.gelato.ce.ws.check;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.db.DatabaseConfig;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.site.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A valid site, which tests of the check break one thing at a time. */
abstract class CheckedSite {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    @TempDir
    static Path grid;

    static GridPki pki;
    static String account;

    @TempDir
    Path site;

    Path file;
    Clock clock = Clock.systemUTC();
    ServerSocket taken;
    int port;

    @BeforeAll
    static void make() {
        pki = GridPki.open(grid, "ce.example.org");
        String own = System.getProperty("user.name");
        account = own.equals("root") ? "nobody" : own;
    }

    @BeforeEach
    void configure() throws Exception {
        copy(grid, site.resolve("grid"));
        port = FreePort.choose();
        DatabaseConfig database = DB.config();
        Files.createDirectory(site.resolve("grid/vomsdir/extra"));
        Files.writeString(site.resolve("password"), database.password());
        mode("password", "rw-------");
        mode("grid/hostkey.pem", "rw-------");
        Files.writeString(site.resolve("map"), "\"/DC=test/CN=a\" " + account + "\n\"/dteam\" " + account + "\n");
        Files.writeString(site.resolve("bans"), "");
        file = Files.writeString(site.resolve("gelato.conf"), """
                gelato {
                  home = "."
                  host = "ce.example.org"
                  address = "127.0.0.1"
                  port = %d
                  admission.disk = -1
                  tls { host-certificate = grid/hostcert.pem, host-key = grid/hostkey.pem }
                  tls { ca-directory = grid/certificates, voms-directory = grid/vomsdir }
                  authorization { gridmap = map, ban = bans, admins = admins }
                  database { url = "%s", user = "%s", password-file = password }
                }
                """.formatted(port, database.url(), database.user()));
    }

    @AfterEach
    void release() throws IOException {
        if (taken != null) {
            taken.close();
        }
        DB.database().inTransaction(h -> h.execute("DELETE FROM flyway_schema_history WHERE version = '9999'"));
    }

    List<Finding> findings() {
        return ServerCheck.findings(file, clock);
    }

    List<String> texts() {
        return texts(findings());
    }

    static List<String> texts(List<Finding> findings) {
        return findings.stream().map(Finding::text).toList();
    }

    static long leftovers() throws IOException {
        String own = "gelato-check-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(f -> f.getFileName().toString().startsWith(own)).count();
        }
    }

    void later(int days) {
        clock = Clock.offset(Clock.systemUTC(), Duration.ofDays(days));
    }

    void take() throws IOException {
        taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    static String ownKey() throws IOException {
        Path other = pki.user("another").write(Files.createTempFile(grid, "other", ".pem"));
        String text = Files.readString(other);
        int begin = text.indexOf("-----BEGIN", text.indexOf("PRIVATE KEY") - 20);
        String end = "PRIVATE KEY-----";
        return text.substring(begin, text.indexOf(end, text.indexOf(end) + 1) + end.length()) + "\n";
    }

    static void newerSchema() {
        DB.database()
                .inTransaction(h -> h.execute("INSERT INTO flyway_schema_history (installed_rank, version, description,"
                        + " type, script, installed_by, execution_time, success)"
                        + " VALUES (9999, '9999', 'later', 'SQL', 'later', 'test', 1, 1)"));
    }

    void slurm(String sinfo) throws IOException {
        Path bin = Files.createDirectory(site.resolve("bin"));
        for (String name : List.of("sbatch", "scancel", "squeue", "scontrol", "sinfo", "sacct")) {
            write("bin/" + name, "#!/bin/sh\n" + (name.equals("sinfo") ? sinfo : "exit 0") + "\n");
            mode("bin/" + name, "rwxr-xr-x");
        }
        set("lrms.kind", "slurm");
        set("lrms.slurm.bin-directory", bin.toString());
    }

    /** @param queue what condor_q does */
    void condor(Path bin, String queue) throws IOException {
        ScriptedCondor.in(bin, queue);
        set("lrms.kind", "condor");
        set("lrms.condor.bin-directory", bin.toString());
    }

    String anchor(String ending) throws IOException {
        try (Stream<Path> files = Files.list(site.resolve("grid/certificates"))) {
            return files.filter(f -> f.toString().endsWith(ending))
                    .map(f -> site.relativize(f).toString())
                    .findFirst()
                    .orElseThrow();
        }
    }

    void set(String key, String value) throws IOException {
        String written = value.startsWith("[") ? value : "\"" + value + "\"";
        Files.writeString(file, Files.readString(file) + "gelato." + key + " = " + written + "\n");
    }

    void delete(String name) throws IOException {
        Files.delete(site.resolve(name));
    }

    void write(String name, String text) throws IOException {
        Files.writeString(site.resolve(name), text);
    }

    void mode(String name, String mode) throws IOException {
        Files.setPosixFilePermissions(site.resolve(name), PosixFilePermissions.fromString(mode));
    }

    static void deleteAll(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        }
    }

    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path f : files.toList()) {
                Files.copy(f, to.resolve(from.relativize(f).toString()));
            }
        }
    }
}
