package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ce --help} shows depends on what is installed beside it. */
class LauncherTest {
    private static final String BEGINNING = "ce submits jobs to a Computing Element (CE), ";
    private static final String USERS = "to use a CE\n  run  ";
    private static final String SERVER = "to run a CE\n  server run ";
    private static final String CLONE = "in this clone of the sources\n  demo ";

    @TempDir
    private Path home;

    /** Whether the launcher finds the places of the packages in this directory. */
    private boolean packaged;

    private String help() throws IOException, InterruptedException {
        return run("--help");
    }

    private String run(String... arguments) throws IOException, InterruptedException {
        return runBehind(List.of(), arguments);
    }

    private String runBehind(List<String> before, String... arguments) throws IOException, InterruptedException {
        Path ce = home.resolve("ce");
        Files.copy(Path.of("../ce"), ce, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        if (packaged) {
            String places =
                    "package_home=/usr/share/gelato package_archives=/var/cache/gelato client_archives=/var/cache/gelato-client";
            String text = Files.readString(ce);
            assertThat(text).contains(places);
            Files.writeString(
                    ce,
                    text.replace(
                            places,
                            places.replace(
                                            "/usr/share/gelato",
                                            home.toRealPath().toString())
                                    .replace("/var/", home.toRealPath() + "/var/")));
        }
        List<String> command = new ArrayList<>(before);
        command.add(ce.toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().put("HOME", home.toString());
        builder.environment().remove("XDG_CACHE_HOME");
        builder.environment().put("JAVA_HOME", home.resolve("java").toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private void install(String part) throws IOException {
        Files.createDirectories(home.resolve("lib").resolve(part).resolve("lib"));
        Files.createFile(home.resolve("lib").resolve(part).resolve(part + "-1.2.3.jar"));
    }

    /** One that prints its arguments, and makes no archive of classes. */
    private void installJava() throws IOException {
        Path java = Files.createDirectories(home.resolve("java/bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                case $* in *-Xshare:dump*)
                    echo "$@" >>"$HOME/dumps"
                    turns=0
                    while [ -e "$HOME/wait" ] && [ $((turns += 1)) -lt 400 ]; do sleep 0.05; done
                    exit 1 ;;
                esac
                echo "$@"
                """);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(home.resolve("java/release"), "JAVA_RUNTIME_VERSION=\"17.0.15+6\"\n");
    }

    /** Java would take its own jars and connections for them. */
    @Test
    void closedStreamsAreNotLeftToJava() throws Exception {
        install("ce-cli");
        installJava();
        Files.writeString(home.resolve("java/bin/java"), "#!/bin/sh\nreadlink /proc/$$/fd/0 /proc/$$/fd/2\n");
        assertThat(runBehind(List.of("sh", "-c", "exec \"$@\" <&- 2>&-", "sh"), "list"))
                .isEqualTo("/dev/null\n/dev/null\n");
        assertThat(runBehind(List.of("sh", "-c", "\"$@\" 2>&1 >&-; echo exit $?", "sh"), "list"))
                .isEqualTo("ce: standard output is closed: write to a file or to /dev/null in place of >&-\nexit 1\n");
    }

    /** Its archive of classes would lack those that talk to a CE, for ever. */
    @Test
    void aCommandThatTalksToNoCeListsNoClasses() throws Exception {
        install("ce-cli");
        installJava();
        for (List<String> command : List.of(
                List.of("config", "set", "endpoint", "ce.example.org"),
                List.of("status", "--help"),
                List.of("--version"),
                List.of("audit", "find", "x"))) {
            assertThat(run(command.toArray(String[]::new))).doesNotContain("-XX:DumpLoadedClassList");
        }
        assertThat(run("list")).contains("-XX:DumpLoadedClassList=" + home, "-Dgelato.cli.classes=" + home);
    }

    /** cron and systemd give none, and Java then reads names of files and arguments as ASCII. */
    @Test
    void withoutALocaleNamesAreUtf8AndOneThatWasChosenStays() throws Exception {
        install("ce-cli");
        installJava();
        Path java = home.resolve("java/bin/java");
        Files.writeString(java, "#!/bin/sh\necho \"locale ${LC_ALL:-$LC_CTYPE}.\"\n");
        String without = "env -u LC_ALL -u LC_CTYPE -u LANG";
        for (String given : List.of("", "LANG=C", "LC_ALL=POSIX LANG=de_DE.UTF-8")) {
            assertThat(runBehind(List.of((without + " " + given).split(" ")), "list"))
                    .as(given)
                    .contains("locale C.UTF-8.");
        }
        for (String given : List.of("LANG=de_DE.ISO-8859-1", "LC_CTYPE=de_DE.UTF-8 LANG=C")) {
            assertThat(runBehind(List.of((without + " " + given).split(" ")), "list"))
                    .as(given)
                    .contains(given.startsWith("LC_CTYPE") ? "locale de_DE.UTF-8." : "locale .");
        }
    }

    /** Java ends with 1 where it cannot write an archive, as in a home that is full. */
    @Test
    void theArchiveOfClassesIsMadeBesideTheCommandAndDoesNotChangeItsExitCode() throws Exception {
        install("ce-cli");
        installJava();
        Path classes = listedClasses();
        assertThat(run("list")).doesNotContain("ClassList", "SharedArchiveFile");
        await().until(() -> Files.exists(home.resolve("dumps")) && !Files.exists(classes));
        assertThat(home.resolve("dumps")).content().contains("-XX:SharedClassListFile=" + classes);
        await().untilAsserted(() -> assertThat(run("list")).contains("-XX:DumpLoadedClassList"));
    }

    private Path listedClasses() throws IOException {
        String jar = home.toRealPath().resolve("lib/ce-cli/ce-cli-1.2.3.jar").toString();
        Path classes = home.resolve(".cache/gelato/" + jar.replace('/', '_') + "-17.0.15+6.jsa.classes");
        Files.createDirectories(classes.getParent());
        return Files.writeString(classes, "java/lang/Object\n");
    }

    /** As a script has that takes a file as a lock and then runs commands. */
    @Test
    void whatMakesTheArchiveHoldsNoDescriptorOfTheCaller() throws Exception {
        install("ce-cli");
        installJava();
        Path classes = listedClasses();
        Path wait = Files.createFile(home.resolve("wait"));
        String lock = home.resolve("lock").toString();
        try {
            runBehind(List.of("bash", "-c", "exec 200>\"$0\"; flock 200; \"$@\"", lock), "list");
            await().until(() -> Files.exists(home.resolve("dumps")));
            assertThat(new ProcessBuilder("flock", "-n", lock, "true").start().waitFor())
                    .as("0 where nothing holds the lock")
                    .isZero();
            assertThat(classes).as("it is still being made").exists();
        } finally {
            Files.delete(wait);
        }
        await().until(() -> !Files.exists(classes));
    }

    private static Path file(Path file, Instant time) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
        return Files.setLastModifiedTime(file, FileTime.from(time));
    }

    private String client() throws IOException {
        return home.toRealPath()
                .resolve("lib/ce-cli/ce-cli-1.2.3.jar")
                .toString()
                .replace('/', '_');
    }

    @Test
    void withTheArchiveOfThePackageNobodyMakesOne() throws Exception {
        install("ce-cli");
        installJava();
        packaged = true;
        Path archive = home.toRealPath().resolve("var/cache/gelato-client/" + client() + "-17.0.15+6.jsa");
        file(archive, Instant.now().plusSeconds(60));
        assertThat(run("list"))
                .contains(" -XX:SharedArchiveFile=" + archive + " ")
                .doesNotContain("ClassList");
        assertThat(home.resolve(".cache")).doesNotExist();
        // Older than the jar, then of another Java.
        file(archive, Instant.EPOCH);
        assertThat(run("list")).contains("-XX:DumpLoadedClassList=").doesNotContain("SharedArchiveFile");
        file(archive, Instant.now().plusSeconds(60));
        Files.writeString(home.resolve("java/release"), "JAVA_RUNTIME_VERSION=\"21.0.8+9\"\n");
        assertThat(run("list")).contains("-XX:DumpLoadedClassList=").doesNotContain("SharedArchiveFile");
    }

    @Test
    void archivesOfAUserThatNobodyUsedForAMonthAreRemovedAndNothingElse() throws Exception {
        install("ce-cli");
        installJava();
        packaged = true;
        Path caches = home.resolve(".cache/gelato");
        Instant old = Instant.now().minus(Duration.ofDays(32));
        String name = client() + "-17.0.15+6.jsa";
        List<Path> useless = List.of(
                file(caches.resolve(name), old),
                file(caches.resolve(name + ".classes.new"), old),
                file(caches.resolve("_elsewhere_ce-ws-1.jar-1.2+3.aot"), old));
        List<Path> kept = List.of(
                file(caches.resolve("_used_ce-cli-1.jar-1.2+3.jsa"), Instant.now()),
                file(caches.resolve("_no.jar"), old),
                file(caches.resolve("x.jar-17.0.15+6.jsa"), old),
                Files.createSymbolicLink(
                        caches.resolve("_link_ce-cli-1.jar-1.2+3.jsa"), file(home.resolve("target"), old)));
        for (Path each : Stream.concat(useless.stream(), kept.stream()).toList()) {
            Files.setAttribute(each, "lastAccessTime", Files.getLastModifiedTime(each), LinkOption.NOFOLLOW_LINKS);
        }
        Path foreign = file(caches.resolve("_foreign_ce-cli-1.jar-1.2+3.jsa"), old);
        Files.setAttribute(foreign, "lastAccessTime", FileTime.from(old));
        boolean root = Files.getOwner(foreign).getName().equals("root");
        if (root) {
            Files.setAttribute(foreign, "unix:uid", 65534);
        }
        file(home.resolve("var/cache/gelato-client/" + name), Instant.now().plusSeconds(60));

        assertThat(run("list"))
                .contains("-XX:SharedArchiveFile=" + home.toRealPath().resolve("var"));

        assertThat(useless).noneMatch(Files::exists);
        assertThat(kept).allMatch(Files::exists);
        assertThat(Files.exists(foreign)).isEqualTo(root);
    }

    @Test
    void thePackageMakesOneOfItsListAndJavasOwn() throws Exception {
        install("ce-cli");
        installJava();
        packaged = true;
        Files.writeString(Files.createDirectories(home.resolve("java/lib")).resolve("classlist"), "java/lang/Object\n");
        Files.writeString(home.resolve("lib/ce-cli/classes.list"), "org/gelato/ce/cli/Main\n");
        Files.writeString(home.resolve("java/bin/java"), """
                #!/bin/sh
                for option; do case $option in
                    -XX:SharedClassListFile=*) list=${option#*=} ;;
                    -XX:SharedArchiveFile=*) cat "$list" >"${option#*=}" ;;
                esac; done
                """);
        Path old = file(home.resolve("var/cache/gelato-client/_old_ce-cli-1.jar-17.jsa"), Instant.EPOCH);
        runBehind(List.of("bash", "-c", ". \"$1\" && make_client_archive", "bash"));
        assertThat(old).doesNotExist();
        assertThat(home.resolve("var/cache/gelato-client"))
                .isDirectoryContaining("glob:**/" + client() + "-17.0.15+6.jsa");
        assertThat(home.resolve("var/cache/gelato-client/" + client() + "-17.0.15+6.jsa"))
                .hasContent("java/lang/Object\norg/gelato/ce/cli/Main");
    }

    @Test
    void theHelpOfTheClientPackageIsForUsersAlone() throws Exception {
        install("ce-cli");
        assertThat(help())
                .startsWith(BEGINNING)
                .contains("\n\nusage: ce COMMAND [ARGUMENT...] ", "\n\n" + USERS)
                .doesNotContain(SERVER, "demo", "perf", "clone");
    }

    @Test
    void theHelpHasASentenceOnEachCommand() throws Exception {
        assertThat(run("help")).isEqualTo(help());
        install("ce-cli");
        installJava();
        assertThat(run("help", "options")).endsWith("org.gelato.ce.cli.Main --help\n");
        assertThat(run("help", "status")).endsWith("org.gelato.ce.cli.Main status --help\n");
        assertThat(help().lines()
                        .filter(line -> line.matches("  [a-z0-9-]+ +[a-z].{8,90}"))
                        .map(line -> line.strip().split(" ", 2)[0]))
                .containsExactlyInAnyOrderElementsOf(
                        Main.users().getSubcommands().keySet());
    }

    @Test
    void bothProgramsAreSaidTheVersionOfThePackage() throws Exception {
        install("ce-cli");
        install("ce-ws");
        Files.writeString(home.resolve("version"), "1.2.3~git20261126.77810ee\n");
        installJava();
        assertThat(run("--version")).contains(" -Dgelato.version=1.2.3~git20261126.77810ee ", "cli.Main --version");
        assertThat(run("server", "--version"))
                .contains(" -Dgelato.version=1.2.3~git20261126.77810ee ", "boot.Main --version");
    }

    @Test
    void theHelpOfTheServerPackageEndsWithTheServer() throws Exception {
        install("ce-cli");
        install("ce-ws");
        assertThat(help()).containsSubsequence(USERS, SERVER).doesNotContain("demo", "perf", "clone");
    }

    @Test
    void theHelpOfACloneEndsWithWhatNeedsOne() throws Exception {
        Files.createDirectories(home.resolve("dev"));
        Files.createFile(home.resolve("pom.xml"));
        assertThat(help()).containsSubsequence(USERS, SERVER, CLONE);
    }

    /** An archive of these jars and this Java, as old as given. */
    private Path archive(String ending, Instant time) throws IOException {
        String jar = home.toRealPath().resolve("lib/ce-ws/ce-ws-1.2.3.jar").toString();
        Path archive = home.resolve(".cache/gelato/" + jar.replace('/', '_') + "-17.0.15+6" + ending);
        Files.createDirectories(archive.getParent());
        Files.writeString(archive, "");
        Files.setLastModifiedTime(archive, FileTime.from(time));
        return archive;
    }

    @Test
    void theServerHasItsAotCacheOrElseItsArchiveOfClasses() throws Exception {
        install("ce-ws");
        installJava();
        Instant newer = Instant.now().plusSeconds(60);
        assertThat(run("server", "run")).doesNotContain(".jsa", ".aot");
        Path classes = archive(".jsa", newer);
        assertThat(run("server", "run"))
                .contains(" -XX:SharedArchiveFile=" + classes + " -Xshare:auto ")
                .doesNotContain("AOTCache");
        Path cache = archive(".aot", newer);
        assertThat(run("server", "run"))
                .contains(" -XX:AOTCache=" + cache + " -XX:+VerifySharedSpaces ")
                .doesNotContain("SharedArchiveFile", "-Xshare");
        archive(".aot", Instant.EPOCH);
        assertThat(run("server", "run"))
                .contains(" -XX:SharedArchiveFile=" + classes)
                .doesNotContain("AOTCache");
    }

    /** Java takes an AOT cache where its options are those of the training. */
    @Test
    void whoMakesTheArchiveIsSaidTheServersOptions() throws Exception {
        install("ce-ws");
        installJava();
        String options = run("server", "run").replaceFirst(" -cp .*", "").strip();
        assertThat(run("server", "archive"))
                .contains(" -Dgelato.class-archive=" + archive(".jsa", Instant.EPOCH) + " ")
                .contains(" -Dgelato.server-flags=" + options + " -cp ");
    }
}
