package org.gelato.ce.it.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.ws.setup.AotCache;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An installed server with the archive of its classes, on Java 25 its AOT cache: made by its command, used by its starts, never in their way. */
class ServerArchiveIT {
    private static final Path CLONE = Path.of("").toAbsolutePath().getParent();
    private static final String FROM_ARCHIVE = " source: shared objects file";
    private static final int PAGE = 4096;
    private static final boolean IS_CACHE = Runtime.version().feature() >= AotCache.FIRST_JAVA;
    private static final String ENDING = IS_CACHE ? ".aot" : ".jsa";

    @TempDir
    private static Path installed;

    @TempDir
    private static Path kept;

    /** On a busy machine, where a site would do without a cache. */
    private static final String SECONDS = "gelato.test.aot-seconds";

    private static final String PATIENCE = "900";
    private static final Map<String, String> PATIENT = Map.of("JAVA_TOOL_OPTIONS", "-D" + SECONDS + "=" + PATIENCE);

    private static Path archive;

    /** What it was when it was made. */
    private static Path intact;

    @TempDir
    private Path logs;

    @BeforeAll
    static void make() throws Exception {
        Files.copy(CLONE.resolve("ce"), installed.resolve("ce"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectory(installed.resolve("lib"));
        Files.createSymbolicLink(installed.resolve("lib/ce-ws"), CLONE.resolve("ce-ws/target"));
        Outcome made = run(PATIENT, "server", "archive");
        assertThat(made.exit).as(made.text).isZero();
        try (Stream<Path> all = Files.list(installed.resolve("cache/gelato"))) {
            archive = all.filter(p -> p.toString().endsWith(ENDING))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(made.text));
        }
        assertThat(made.text).contains(archive + ": ").endsWith(" MiB\n");
        assertThat(Files.getPosixFilePermissions(archive)).isEqualTo(PosixFilePermissions.fromString("r--r--r--"));
        intact = Files.copy(archive, kept.resolve("intact"));
    }

    @BeforeEach
    void restore() throws IOException {
        Files.deleteIfExists(archive);
        Files.copy(intact, archive);
    }

    private record Outcome(int exit, String text) {}

    private static Map<String, String> environment() {
        return Map.of(
                "JAVA_HOME",
                System.getProperty("java.home"),
                "XDG_CACHE_HOME",
                installed.resolve("cache").toString());
    }

    private static Outcome run(Map<String, String> more, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(installed.resolve("ce").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("CE_JAVA_OPTS");
        builder.environment().putAll(environment());
        builder.environment().putAll(more);
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), text);
    }

    /** Our classes that a short command read from the archive; it must have succeeded, and printed nothing but its help. */
    private long ofOursFromArchive() throws Exception {
        Path log = Files.createTempFile(logs, "classes", ".log");
        Outcome help = run(Map.of("CE_JAVA_OPTS", logging(log)), "server", "--help");
        assertThat(help.text)
                .startsWith("Sets up, runs and checks a Computing Element on this host.\nUsage: ce server ");
        assertThat(help.exit).isZero();
        return loaded(log).stream()
                .filter(line -> line.contains("] org.gelato.ce.") && line.contains(FROM_ARCHIVE))
                .count();
    }

    private static String logging(Path log) {
        return "-Xlog:class+load:file=" + log;
    }

    private static List<String> loaded(Path log) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.contains(" source: "))
                .toList();
    }

    @Test
    void ceAtWorkReadsItsClassesFromTheArchive() throws Exception {
        Path log = logs.resolve("classes.log");
        try (SiteCe ce = new SiteCe("archive", "fork", JobAccount.name(), Map.of())) {
            ce.start(
                    List.of(
                            installed.resolve("ce").toString(),
                            "server",
                            "run",
                            "--config",
                            ce.configuration().toString()),
                    Stream.concat(environment().entrySet().stream(), Stream.of(Map.entry("CE_JAVA_OPTS", logging(log))))
                            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
                    "/health/ready");
            SiteUser user = ce.user("Ann of archive");
            String job = user.submit(SiteUser.sleepJob(0));
            user.await(job, "DONE-OK");
            ce.stop();
        }
        List<String> all = loaded(log);
        // What is made at run time has other sources. When this fails, dev/class-list records anew what a CE loads.
        List<String> fromJars = all.stream()
                .filter(line -> line.contains(" source: file:") || line.contains(" source: jrt:"))
                .toList();
        assertThat(all.stream().filter(line -> line.contains(FROM_ARCHIVE)).count())
                .isGreaterThan(5000);
        assertThat(fromJars.size()).as(String.join("\n", fromJars)).isLessThan(all.size() / 20);
    }

    @Test
    void anArchiveOfOlderJarsIsNotUsed() throws Exception {
        assertThat(ofOursFromArchive()).isGreaterThan(10);
        Files.setLastModifiedTime(archive, FileTime.from(Instant.EPOCH));
        assertThat(ofOursFromArchive()).isZero();
    }

    @Test
    @Tag("long")
    void anArchiveOfOlderJarsIsMadeAnew() throws Exception {
        Files.setLastModifiedTime(archive, FileTime.from(Instant.EPOCH));
        Outcome made = run(PATIENT, "server", "archive");
        assertThat(made.exit).as(made.text).isZero();
        assertThat(made.text).contains(archive + ": ");
        assertThat(ofOursFromArchive()).isGreaterThan(10);
    }

    /** On a Java that writes no cache everything else is done, too. */
    @Test
    @Tag("long")
    void theTrainingOfAnAotCacheWorksOnEachJava() throws Exception {
        Assumptions.assumeFalse(IS_CACHE, "this Java has made an AOT cache for the other tests");
        System.setProperty(SECONDS, PATIENCE);
        String jars = installed.resolve("lib/ce-ws").toRealPath() + "/";
        AotCache cache = new AotCache(
                kept.resolve("none.aot"),
                Path.of(System.getProperty("java.home")),
                List.of("-XX:+UseSerialGC", "-XX:+IgnoreUnrecognizedVMOptions"),
                jars + "*" + File.pathSeparator + jars + "lib/*");
        assertThatThrownBy(cache::make).hasMessage("Java made no AOT cache at the end of the training");
    }

    @Test
    void aDamagedArchiveStopsNoStart() throws Exception {
        byte[] whole = Files.readAllBytes(intact);
        replace(new byte[0]);
        assertThat(ofOursFromArchive()).isZero();
        replace(Arrays.copyOf(whole, whole.length / 2));
        assertThat(ofOursFromArchive()).isZero();
        replace("no archive".repeat(PAGE).getBytes(StandardCharsets.UTF_8));
        assertThat(ofOursFromArchive()).isZero();
        replace(whole);
        try (RandomAccessFile file = new RandomAccessFile(archive.toFile(), "rw")) {
            for (long at = whole.length / 8; at < whole.length; at += whole.length / 8) {
                file.seek(at);
                file.write(new byte[PAGE]);
            }
        }
        assertThat(ofOursFromArchive()).isZero();
    }

    private static void replace(byte[] content) throws IOException {
        Files.deleteIfExists(archive);
        Files.write(archive, content);
    }

    @Test
    void anArchiveOfSomeoneElseIsNotUsed() throws Exception {
        Assumptions.assumeTrue(
                System.getProperty("user.name").equals("root"), "only root can give a file to another account");
        Files.setOwner(
                archive, archive.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        assertThat(ofOursFromArchive()).isZero();
    }
}
