package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dev/build}, with which {@code ./ce demo} and others build what they run, on a Maven that only makes jars. */
class BuildTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MODULE = Pattern.compile(
            "<dependency>\\s*<groupId>org\\.gelato\\.ce</groupId>\\s*<artifactId>([a-z-]+)</artifactId>");

    @TempDir
    private Path directory;

    private Path clone;

    @BeforeEach
    void prepare() throws IOException {
        clone = directory.resolve("clone");
        for (String file : List.of("ce", "dev/build", "dev/common", "pom.xml")) {
            copy(file);
        }
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module :
                    modules.filter(m -> Files.exists(m.resolve("pom.xml"))).toList()) {
                String name = module.getFileName().toString();
                copy(name + "/pom.xml");
                Files.createDirectories(clone.resolve(name).resolve("src/main"));
                compiled(name, "compile");
                compiled(name, "testCompile");
            }
        }
        Path mvn = Files.createDirectories(directory.resolve("bin")).resolve("mvn");
        Files.writeString(mvn, """
                #!/bin/sh
                echo "$@" >>../calls
                for part in ce-ws ce-cli src-it perf benchmarks; do
                    mkdir -p $part/target/lib
                    touch $part/target/$part-1.2.3.jar
                done
                echo '[INFO] Building Web services 1.2.3                            [5/12]'
                echo '[INFO] Building jar: /somewhere/ce-ws-1.2.3.jar'
                [ -e ../unchanged ] || echo '[INFO] Compiling 3 source files with javac [debug release 17] to target/classes'
                echo '[INFO] Building Command line 1.2.3-rc1                        [4/12]'
                """);
        Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void copy(String file) throws IOException {
        Path copy = clone.resolve(file);
        Files.createDirectories(copy.getParent());
        Files.copy(ROOT.resolve(file), copy, StandardCopyOption.COPY_ATTRIBUTES);
        Files.setLastModifiedTime(copy, FileTime.from(Instant.EPOCH));
    }

    /** What Maven remembers of a compilation; without it Maven compiles all again. */
    private Path compilation(String module, String goal) {
        return clone.resolve(module).resolve("target/maven-status/maven-compiler-plugin/" + goal);
    }

    private void compiled(String module, String goal) throws IOException {
        Files.createDirectories(compilation(module, goal));
    }

    private String build(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(clone.resolve("dev/build").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().merge("PATH", directory.resolve("bin") + ":", (path, first) -> first + path);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("CE_NO_BUILD");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(directory.resolve("calls"));
    }

    private void change(String module) throws IOException {
        Path source = Files.writeString(clone.resolve(module).resolve("src/main/Changed.java"), "");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    }

    /** The modules that Maven builds with {@code -pl MODULE -am}. */
    private static Set<String> withNeeded(String module) throws IOException {
        Set<String> needed = new TreeSet<>();
        Deque<String> rest = new ArrayDeque<>(List.of(module));
        while (!rest.isEmpty()) {
            String next = rest.remove();
            if (needed.add(next)) {
                Matcher dependency =
                        MODULE.matcher(Files.readString(ROOT.resolve(next).resolve("pom.xml")));
                dependency.results().map(found -> found.group(1)).forEach(rest::add);
            }
        }
        return needed;
    }

    @Test
    void jobsNeedNeitherPackagesNorMeasurementsNorTestsNorTheWar() throws Exception {
        build();
        assertThat(calls()).singleElement().asString().contains(" -Dquick ", " -Dproduct ", " -pl src-it -am package");
        assertThat(withNeeded("src-it"))
                .containsExactlyInAnyOrder(
                        "src-it",
                        "ce-cli",
                        "ce-ws",
                        "ce-lrms-condor",
                        "ce-lrms-torque",
                        "ce-lrms-slurm",
                        "ce-blah-bridge",
                        "ce-core",
                        "ce-description",
                        "manual",
                        "ce-testkit",
                        "db-migrations");
        String activation = "<activation><property><name>%s</name></property></activation>";
        assertThat(ROOT.resolve("pom.xml"))
                .content()
                .containsSubsequence("<id>deb</id>", activation.formatted("product"), "<id>default-testCompile</id>");
        assertThat(ROOT.resolve("ce-ws/pom.xml"))
                .content()
                .containsSubsequence(
                        "<id>war</id>", activation.formatted("!product"), "<goal>war</goal>", "</profile>");
    }

    @Test
    void aLineNamesEachModuleWhenItsTurnComes() throws Exception {
        assertThat(build().lines().skip(1))
                .startsWith("ce: 1/12 Web services", "ce: 2/12 Command line")
                .last()
                .asString()
                .matches("ce: built in [0-9]+ s");
    }

    @Test
    void onlyASourceOfWhatIsBuiltIsAReasonToBuildAgain() throws Exception {
        build();
        change("perf");
        assertThat(build()).isEmpty();
        change("ce-core");
        assertThat(build()).isNotEmpty();
        assertThat(calls()).hasSize(2);
    }

    @Test
    void measurementsAreBuiltOnRequestWithWhatJobsNeed() throws Exception {
        build("perf");
        build();
        assertThat(calls()).singleElement().asString().contains(" -pl src-it,perf -am package");
        assertThat(compilation("perf", "compile")).exists();
        change("perf");
        build("perf");
        assertThat(calls()).hasSize(2);
    }

    /** {@code ./ce test} compiles with all checks, and Maven takes nothing for up to date that uses what has changed. */
    @Test
    void whatWasCompiledWithoutChecksIsCompiledOnceMoreByTheTests() throws Exception {
        build();
        assertThat(clone.resolve("target/ce.unchecked")).exists();
        assertThat(compilation("ce-core", "testCompile")).doesNotExist();
        assertThat(compilation("ce-core", "compile")).exists();
        for (String module : List.of("packaging", "perf", "benchmarks")) {
            assertThat(compilation(module, "compile")).doesNotExist();
        }
    }

    @Test
    void aBuildThatCompilesNothingLeavesNothingUnchecked() throws Exception {
        Files.createFile(directory.resolve("unchanged"));
        build();
        assertThat(calls()).hasSize(1);
        assertThat(clone.resolve("target/ce.unchecked")).doesNotExist();
        assertThat(compilation("ce-core", "testCompile")).exists();
    }
}
