package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.get;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.account.AccountCommands.Spawn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups of accounts and jobs, in the kernel where a hierarchy of version 2 is mounted, with or without its controllers. */
class HelperControlGroupsTest {
    private static final String ACCOUNT = "nobody";

    @TempDir
    Path temporary;

    private GahpChannel channel;
    private AccountCommands commands;
    private Path home;
    private Path groups;

    @BeforeEach
    void needsRoot() {
        assumeTrue(RunningHelper.ROOT, "control groups of accounts need root; this run is not root");
    }

    private void start(Path jobs, String... keys) throws IOException {
        Path base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwx--x--x"));
        home = base.resolve("sandbox/vo/h1");
        List<String> lines = new ArrayList<>(List.of(
                "sandbox_root=" + base.resolve("sandbox"),
                "executable=/bin/bash",
                "idle_seconds=1",
                "job_cgroup=" + jobs));
        lines.addAll(List.of(keys));
        Path file = Files.write(base.resolve("helper.conf"), lines);
        channel = GahpChannel.start(
                List.of(HelperBinary.extract(base.resolve("bin")).toString(), "-c", file.toString()));
        commands = new HelperAccountCommands(channel);
    }

    /** A group in the kernel. */
    private Path group() throws IOException {
        Path root = Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .map(line -> line.split(" "))
                .filter(words -> words[2].equals("cgroup2"))
                .map(words -> Path.of(words[1]))
                .findFirst()
                .orElse(null);
        assumeTrue(root != null, "no control groups of version 2 are mounted here");
        groups = root.resolve("gelato-test-" + ProcessHandle.current().pid());
        try {
            Files.createDirectory(groups);
        } catch (IOException e) {
            assumeTrue(false, "no control group can be made here: " + e.getMessage());
        }
        return groups;
    }

    @AfterEach
    void stop() throws IOException {
        if (channel != null) {
            channel.close();
        }
        if (groups != null) {
            await().untilAsserted(() -> {
                try (Stream<Path> below = Files.walk(groups)) {
                    for (Path one : below.filter(Files::isDirectory)
                            .sorted((a, b) -> b.compareTo(a))
                            .toList()) {
                        Files.deleteIfExists(one);
                    }
                }
                assertThat(groups).doesNotExist();
            });
        }
    }

    private String run(String script) {
        return get(commands.run(
                        ACCOUNT,
                        new Run(
                                List.of("/bin/bash", "-c", script),
                                home,
                                Map.of("PATH", "/usr/bin:/bin"),
                                new byte[0],
                                List.of(),
                                Duration.ofMinutes(1),
                                10_000)))
                .stdout();
    }

    private String job(String name, String script) {
        Path out = home.resolve(name);
        get(commands.spawn(
                ACCOUNT,
                new Spawn(
                        List.of("/bin/bash", "-c", script + "; echo end"),
                        home,
                        Map.of("PATH", "/usr/bin:/bin"),
                        List.of(),
                        out,
                        home.resolve("err"))));
        await().until(() -> text(out).endsWith("end\n"));
        return text(out);
    }

    private String text(Path file) {
        return new String(get(commands.get(ACCOUNT, file, 0, 10_000)).content(), StandardCharsets.UTF_8);
    }

    private List<String> below(String name) throws IOException {
        try (Stream<Path> all = Files.list(groups.resolve(name))) {
            return all.filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .toList();
        }
    }

    @Test
    void everyJobHasAGroupOfItsOwnBelowItsAccountsWhichItCannotLeave() throws IOException {
        start(group());
        String name = "/" + groups.getFileName() + "/account-" + ACCOUNT;
        String show = "grep ^0: /proc/self/cgroup";
        assertThat(run(show)).isEqualTo("0::" + name + "/worker\n");
        assertThat(Files.readString(Path.of("/proc/" + channel.pid() + "/cgroup")))
                .as("the helper stays with the CE")
                .doesNotContain(groups.getFileName().toString());

        String first = job("first", show);
        assertThat(first).startsWith("0::" + name + "/job-");
        String second = job(
                "second",
                show + "; echo $$ > " + groups + "/cgroup.procs; echo $$ > " + groups + "/account-" + ACCOUNT
                        + "/worker/cgroup.procs; " + show);
        assertThat(second.lines().distinct().count())
                .as("where it is, twice the same, and the end")
                .isEqualTo(2);
        assertThat(second).isNotEqualTo(first);
        await().until(() -> {
            job("next", show);
            return below("account-" + ACCOUNT).size() == 2;
        });
    }

    @Test
    void aWorkerThatItsAccountHasFrozenIsReplaced() throws IOException {
        start(group());
        String own = groups.resolve("account-" + ACCOUNT).resolve("own").toString();
        // A worker frozen before it answers the spawn is a spawn that failed: another test's subject.
        Path answered = home.resolve("answered");
        get(commands.spawn(
                ACCOUNT,
                new Spawn(
                        List.of(
                                "/bin/bash",
                                "-c",
                                "until [ -e " + answered + " ]; do sleep 0.02; done; mkdir " + own + "; echo $PPID > "
                                        + own + "/cgroup.procs; echo 1 > " + own + "/cgroup.freeze"),
                        home,
                        Map.of("PATH", "/usr/bin:/bin"),
                        List.of(),
                        home.resolve("out"),
                        home.resolve("err"))));
        Files.createFile(answered);
        await().until(() -> Files.exists(Path.of(own, "cgroup.events"))
                && Files.readString(Path.of(own, "cgroup.events")).contains("frozen 1"));
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(() -> run("echo well").equals("well\n"));
    }

    @Test
    void theLimitsOfAnAccountAreWrittenAndAnAccountCannotChangeThem() throws IOException {
        // The kernel's files, as this host's hierarchy may lack the controllers.
        Path jobs = Files.createDirectories(temporary.toRealPath().resolve("cgroup"));
        Files.setPosixFilePermissions(jobs, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path own = jobs.resolve("account-" + ACCOUNT);
        Files.createDirectories(own.resolve("worker"));
        for (String file : List.of(
                "cgroup.subtree_control",
                "account-" + ACCOUNT + "/cgroup.max.descendants",
                "account-" + ACCOUNT + "/cgroup.procs",
                "account-" + ACCOUNT + "/cgroup.subtree_control",
                "account-" + ACCOUNT + "/memory.max",
                "account-" + ACCOUNT + "/pids.max",
                "account-" + ACCOUNT + "/worker/cgroup.procs")) {
            Files.createFile(jobs.resolve(file));
        }
        start(jobs, "account_memory=512", "account_processes=300");
        assertThat(run("echo 0 > " + own + "/memory.max || echo refused")).isEqualTo("refused\n");
        assertThat(own.resolve("memory.max")).hasContent("536870912");
        assertThat(own.resolve("pids.max")).hasContent("300");
        assertThat(own.resolve("cgroup.max.descendants")).hasContent("1000");
        assertThat(own.resolve("worker/cgroup.procs")).hasContent("0");
        assertThat(own.resolve("cgroup.subtree_control")).content().contains("+pids");
        assertThat(Files.getAttribute(own, "unix:uid")).isEqualTo(65_534);
        assertThat(Files.getAttribute(own.resolve("memory.max"), "unix:uid")).isEqualTo(0);
    }

    /** As in a container with a user namespace, where no account that root trusts has the kernel's files. */
    @Test
    void aGroupThatOthersMayChangeIsLeftOut() throws IOException {
        Path jobs = Files.createDirectories(temporary.toRealPath().resolve("cgroup"));
        Files.setOwner(
                jobs, jobs.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(ACCOUNT));
        start(jobs);
        assertThat(job("out", "echo ran")).isEqualTo("ran\nend\n");
        assertThat(jobs).isEmptyDirectory();
    }

    @Test
    void withoutTheGroupJobsRunAsBefore() throws IOException {
        start(temporary.toRealPath().resolve("absent"));
        assertThat(job("out", "echo ran")).isEqualTo("ran\nend\n");
    }
}
