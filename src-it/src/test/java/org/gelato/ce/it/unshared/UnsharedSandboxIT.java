package org.gelato.ce.it.unshared;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.unshared.NodeSide.Ended;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claim, input, output, proxy and end over HTTPS; what the sandbox holds afterwards shows that nothing else was used. */
class UnsharedSandboxIT {
    private static SiteCe ce;
    private static SiteUser user;
    private static NodeSide node;
    private static Path marks;

    @BeforeAll
    static void start() throws Exception {
        ce = new SiteCe(
                        "unshared",
                        "fork",
                        JobAccount.name(),
                        Map.of("gelato.sandbox.shared", false, "gelato.lrms.fork.slots", 2))
                .start();
        user = ce.user("Ursula");
        node = new NodeSide(ce);
        marks = Files.createDirectory(ce.base().resolve("marks"));
        Files.setPosixFilePermissions(marks, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    private static void awaitMark(Path mark) {
        Awaitility.await(mark.toString()).until(() -> Files.exists(mark));
    }

    @Test
    void inputIsReadAndOutputFetchedWithoutSharedFiles() throws Exception {
        byte[] data = new byte[3 << 20];
        new Random(7).nextBytes(data);
        Files.write(ce.base().resolve("da ta.bin"), data);
        String id =
                user.submit("[ Executable = \"/bin/bash\"; Arguments = \"-c 'cat da*; echo aside > res.txt; exit 4'\";"
                        + " StdOutput = \"copy.bin\"; StdError = \"err\"; InputSandbox = {\"da ta.bin\"};"
                        + " OutputSandbox = {\"copy.bin\", \"res.txt\"};"
                        + " OutputSandboxBaseDestURI = \"gsiftp://localhost\"; ]");
        user.await(id, "DONE-OK");
        assertThat(user.info(id).path("exitCode").asText()).isEqualTo("4");
        assertThat(user.info(id).path("history").findValuesAsText("status"))
                .containsSubsequence("RUNNING", "REALLY-RUNNING", "DONE-OK");
        Path target = ce.base().resolve("fetched");
        user.must("", "output", "-d", target.toString(), id);
        assertThat(target.resolve("copy.bin")).hasBinaryContent(data);
        assertThat(target.resolve("res.txt")).hasContent("aside");
        assertThat(node.names(id)).doesNotContain("claim", "exit");
        assertThat(node.script(id).lines())
                .filteredOn(line -> line.contains(node.sandbox(id).toString()))
                .allMatch(line -> line.startsWith("__output_file_dest["));
        assertThat(Files.readString(ce.log())).doesNotContain(" ERROR ");
    }

    /** What writes on has left the job: no batch system ends it. */
    @Test
    void manyFilesAndOneThatGrowsAreFetched() throws Exception {
        Path stop = marks.resolve("stop");
        Path program = ce.base().resolve("many.sh");
        Files.writeString(program, """
                #!/bin/bash
                for i in {1..120}; do echo $i > "f $i"; done
                env -i /usr/bin/setsid /bin/bash -c 'until [ -e %s ]; do echo more >> grows; /bin/sleep 0.01; done' > /dev/null 2>&1 &
                until [ -s grows ]; do sleep 0.1; done
                """.formatted(stop));
        String id = user.submit("[ Executable = \"many.sh\"; InputSandbox = {\"many.sh\"};"
                + " OutputSandbox = {\"f *\", \"grows\"}; OutputSandboxBaseDestURI = \"gsiftp://localhost\"; ]");
        try {
            user.await(id, "DONE-OK");
        } finally {
            Files.writeString(stop, "");
        }
        Path target = ce.base().resolve("many");
        user.must("", "output", "-d", target.toString(), id);
        for (int i = 1; i <= 120; i++) {
            assertThat(target.resolve("f " + i)).hasContent(Integer.toString(i));
        }
        assertThat(Files.readString(target.resolve("grows"))).matches("(more\n)+");
    }

    @Test
    void aSecondWrapperOfARunningJobDoesNotRunIt() throws Exception {
        Path ran = marks.resolve("double");
        Path go = marks.resolve("go");
        String id =
                user.submit(SiteUser.shellJob("echo x >> " + ran + "; while [ ! -e " + go + " ]; do sleep 0.2; done"));
        awaitMark(ran);
        Ended second = node.run(node.script(id));
        assertThat(second.status()).isZero();
        assertThat(second.words()).contains("has been claimed already");
        Files.writeString(go, "");
        user.await(id, "DONE-OK");
        assertThat(ran).hasContent("x");
        Ended third = node.run(node.script(id));
        assertThat(third.words()).contains("has ended or is being cancelled");
        assertThat(ran).hasContent("x");
    }

    @Test
    void aWrapperWithAnotherTokenGetsNothing() throws Exception {
        String id = user.submit(SiteUser.sleepJob(1));
        user.await(id, "DONE-OK");
        Ended forged = node.run(node.script(id).replaceFirst("(?m)^__gelato_token='.", "$0x"));
        assertThat(forged.status()).isEqualTo(77);
        assertThat(forged.words()).contains("Cannot claim the job").contains("HTTP 403");
        assertThat(user.state(id)).isEqualTo("DONE-OK");
    }

    @Test
    @Tag("long")
    void theEndOfAJobOutlastsAStoppedCe() throws Exception {
        Path began = marks.resolve("began");
        Path ended = marks.resolve("ended");
        Path go = marks.resolve("go-on");
        String id = user.submit(SiteUser.shellJob(
                "touch " + began + "; while [ ! -e " + go + " ]; do sleep 0.2; done; echo kept; touch " + ended));
        awaitMark(began);
        ce.kill();
        Files.writeString(go, "");
        awaitMark(ended);
        ce.start();
        user.await(id, "DONE-OK");
        Path target = ce.base().resolve("kept");
        user.must("", "output", "-d", target.toString(), id);
        assertThat(target.resolve("env.out")).hasContent("kept");
        assertThat(node.names(id)).doesNotContain("exit");
    }

    @Test
    void aJobCancelledBeforeItsClaimIsNotRun() throws Exception {
        Path ran = marks.resolve("cancelled");
        Path go = marks.resolve("go-free");
        String wait = "while [ ! -e " + go + " ]; do sleep 0.2; done";
        String one = user.submit(SiteUser.shellJob("touch " + marks.resolve("one") + "; " + wait));
        String two = user.submit(SiteUser.shellJob("touch " + marks.resolve("two") + "; " + wait));
        awaitMark(marks.resolve("one"));
        awaitMark(marks.resolve("two"));
        String id = user.submit(SiteUser.shellJob("touch " + ran));
        user.await(id, "IDLE");
        String script = node.script(id);
        user.must("", "cancel", id);
        user.await(id, "CANCELLED");
        Ended late = node.run(script);
        assertThat(late.status()).isZero();
        assertThat(late.words()).contains("has ended or is being cancelled");
        Files.writeString(go, "");
        user.await(one, "DONE-OK");
        user.await(two, "DONE-OK");
        assertThat(ran).doesNotExist();
        assertThat(user.state(id)).isEqualTo("CANCELLED");
    }
}
