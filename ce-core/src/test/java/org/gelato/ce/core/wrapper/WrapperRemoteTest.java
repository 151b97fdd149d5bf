package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.gelato.ce.core.intake.FenceRequest;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.peer.FakeCe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wrappers on a node that does not see the sandbox: its path does not exist there. */
class WrapperRemoteTest {
    @TempDir
    Path directory;

    private WrapperRun job;
    private FakeCe ce;

    @BeforeEach
    void open() throws IOException {
        job = new WrapperRun(directory);
        ce = new FakeCe();
        job.eventsUrl = ce.url("/events");
        job.proxyUrl = ce.url("/proxy");
        patience(Duration.ofMinutes(1));
        job.command("sleep", "exec /bin/sleep 0.05");
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private void patience(Duration patience) {
        job.remote = new RemoteSandbox(ce.url("/claims"), ce.url("/input/"), ce.url("/output/"));
        job.patience = new WrapperPatience(patience, Duration.ofHours(1), null, 0, Duration.ofMinutes(10));
    }

    private WrapperEvent end() {
        List<WrapperEvent> ends = ce.events.stream()
                .map(text -> WrapperEvent.parse(text.getBytes(StandardCharsets.UTF_8))
                        .orElseThrow())
                .filter(e -> e.kind() == WrapperEvent.Kind.DONE)
                .toList();
        assertThat(ends).hasSize(1);
        return ends.get(0);
    }

    private String output(String name) {
        return new String(ce.output.get(name), StandardCharsets.UTF_8);
    }

    @Test
    void inputComesAndOutputGoesOverHttps() throws IOException {
        ce.input.put("d at%a[1]ü", "hello".getBytes(StandardCharsets.UTF_8));
        Ended ended = job.run(shell(
                "cat d*; echo more > 'x{1} y'; cp 'x{1} y' .hidden; exit 3",
                "InputSandbox = {\"d at%a[1]ü\"}; OutputSandbox = {\"x{1} y\", \".hidden\"};"
                        + " OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(output("out")).isEqualTo("hello");
        assertThat(output("x{1} y")).isEqualTo("more\n");
        assertThat(output(".hidden")).isEqualTo("more\n");
        assertThat(end().exitCode()).isEqualTo(3);
        assertThat(ce.claims).hasSize(1);
        FenceRequest claim = FenceRequest.parse(ce.claims.get(0).getBytes(StandardCharsets.UTF_8))
                .orElseThrow();
        assertThat(claim.attempt()).isEqualTo(2);
        assertThat(claim.lrmsId()).isEqualTo("4711");
        assertThat(WrapperRun.names(job.sandbox)).containsExactly("wrapper.sh");
    }

    @Test
    void filesInFoldersKeepTheirPaths() throws Exception {
        ce.input.put(
                "bin/it's run",
                "cat; cat 'data/b c/in'; mkdir -p r/s; echo kept > 'r/s/res ult'; echo 2 > res"
                        .getBytes(StandardCharsets.UTF_8));
        ce.input.put("data/in", "1 ".getBytes(StandardCharsets.UTF_8));
        ce.input.put("data/b c/in", "2".getBytes(StandardCharsets.UTF_8));
        Ended ended = job.run(WrapperSessionTest.folders());
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(output("log/out")).isEqualTo("1 2");
        assertThat(output("r/s/res ult")).isEqualTo("kept\n");
        assertThat(ce.requests).contains("GET /input/data/b%20c/in", "PUT /output/r/s/res%20ult");
    }

    @Test
    void theScriptNamesTheSandboxOnlyForClients() {
        assertThat(JobWrapper.script(shell("true", ""), job.settings()).lines())
                .filteredOn(line -> line.contains("CREAM000000042") && line.contains("/on/another/host"))
                .allMatch(line -> line.startsWith("__output_file_dest["));
    }

    @Test
    void aDoubleEndsWithoutTheJobAndWithoutAWord() throws IOException {
        ce.taken();
        Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
        assertThat(ended.status()).isZero();
        assertThat(ended.stdout()).contains("claimed already");
        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(ce.events).isEmpty();
    }

    @Test
    void aJobThatIsOverIsNotRun() throws IOException {
        ce.answer("POST /claims", 410);
        Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
        assertThat(ended.status()).isZero();
        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(ce.events).isEmpty();
    }

    @Test
    void aRefusedClaimIsNotRepeatedAndTellsNothing() throws IOException {
        ce.answer("POST /claims", 403);
        Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
        assertThat(ended.status()).isEqualTo(77);
        assertThat(ended.stderr()).contains("Cannot claim the job").contains("HTTP 403");
        assertThat(ce.requests).hasSize(1);
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void aClaimWhoseAnswerIsLostIsAskedAgainByTheSameName() throws IOException {
        ce.answer("POST /claims", 503, 0, 500);
        assertThat(job.run(shell("exit 0", "")).status()).isZero();
        assertThat(ce.requests).filteredOn(r -> r.equals("POST /claims")).hasSize(4);
        assertThat(end().exitCode()).isZero();
    }

    @Test
    void aCeThatIsAwayForTooLongRunsNoJob() throws IOException {
        patience(Duration.ofSeconds(1));
        ce.stop();
        Ended ended = job.run(shell("touch '" + directory + "/ran'", ""));
        assertThat(ended.status()).isEqualTo(69);
        assertThat(ended.stderr()).contains("Cannot claim the job").contains("curl: (7)");
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void theEndIsToldWhenTheCeIsBack() throws IOException {
        job.command("sleep", "touch '" + directory + "/waits'; exec /bin/sleep 0.05");
        WrapperRun.Running running = job.start(shell(
                "touch '" + directory + "/runs'; until [ -e '" + directory + "/go' ]; do /bin/sleep 0.05; done", ""));
        await().until(() -> Files.exists(directory.resolve("runs")));
        ce.stop();
        Files.createFile(directory.resolve("go"));
        await("it waits for the CE").until(() -> Files.exists(directory.resolve("waits")));
        ce.again();
        assertThat(running.end().status()).isZero();
        assertThat(end().exitCode()).isZero();
        assertThat(ce.output).containsKey("out");
    }

    @Test
    void missingInputEndsTheJob() throws IOException {
        job.run(shell("exit 0", "InputSandbox = {\"absent\"};"));
        assertThat(end().exitCode()).isNull();
        assertThat(end().reason()).isEqualTo("Cannot move ISB (HTTP 404 no such file): absent");
    }

    @Test
    void busyCeAndDamagedInputAreTriedAgain() throws IOException {
        ce.input.put("a", "x".getBytes(StandardCharsets.UTF_8));
        ce.answer("GET /input", 503, 0);
        job.run(shell("cat a", "InputSandbox = {\"a\"};"));
        assertThat(output("out")).isEqualTo("x");
        ce.close();
        open();
        patience(Duration.ofSeconds(1));
        ce.input.put("a", "x".getBytes(StandardCharsets.UTF_8));
        ce.lies = true;
        job.run(shell("cat a", "InputSandbox = {\"a\"};"));
        assertThat(end().reason()).contains("Cannot move ISB (the checksum is not the one the CE announced): a");
    }

    @Test
    void aBrokenUploadGoesOnWhereItWas() throws IOException {
        byte[] random = new byte[300_000];
        new Random(1).nextBytes(random);
        ce.input.put("in", random);
        ce.answer("PUT /output", 0);
        job.run(shell("cat in; rm in", "InputSandbox = {\"in\"};"));
        assertThat(end().reason()).isNull();
        assertThat(ce.output.get("out")).isEqualTo(random);
        assertThat(ce.requests).contains("bytes 150000-299999/300000");
    }

    @Test
    void anUploadWhoseAnswerIsLostIsNotRepeated() throws IOException {
        ce.answer("PUT /output", 503);
        ce.output.put("out", "hi\n".getBytes(StandardCharsets.UTF_8));
        job.run(shell("echo hi", ""));
        assertThat(ce.requests).filteredOn(r -> r.equals("bytes */3")).hasSize(1);
        assertThat(ce.requests).filteredOn(r -> r.equals("PUT /output/out")).hasSize(2);
        assertThat(end().exitCode()).isZero();
    }

    /** All bytes are there, though the CE has not got as far as to make them the file. */
    @Test
    void anUploadWhoseEndIsLostIsEndedWithoutItsBytes() throws IOException {
        ce.answer("PUT /output", 503);
        ce.parts.put("out", "hi\n".getBytes(StandardCharsets.UTF_8));
        job.run(shell("echo hi", ""));
        assertThat(ce.requests).filteredOn(r -> r.equals("PUT /output/out")).hasSize(2);
        assertThat(output("out")).isEqualTo("hi\n");
        assertThat(end().exitCode()).isZero();
    }

    @Test
    void anotherFileOfTheSameSizeIsReplaced() throws IOException {
        ce.answer("PUT /output", 503);
        ce.output.put("out", "ho\n".getBytes(StandardCharsets.UTF_8));
        job.run(shell("echo hi", ""));
        assertThat(output("out")).isEqualTo("hi\n");
        assertThat(end().exitCode()).isZero();
    }

    @Test
    void aChecksumThatTakesTheCeLongIsAskedForUntilItIsThere() throws IOException {
        ce.answer("PUT /output", 503);
        ce.output.put("out", "hi\n".getBytes(StandardCharsets.UTF_8));
        ce.unknown.set(3);
        job.run(shell("echo hi", ""));
        assertThat(ce.requests).filteredOn(r -> r.equals("bytes */3")).hasSize(4);
        assertThat(ce.requests).filteredOn(r -> r.equals("PUT /output/out")).hasSize(5);
        assertThat(end().exitCode()).isZero();
    }

    @Test
    void aRefusedUploadEndsTheJobWithItsReason() throws IOException {
        ce.answer("PUT /output", 413, 1, 413);
        job.run(shell("echo hi", ""));
        assertThat(end().exitCode()).isNull();
        assertThat(end().reason())
                .isEqualTo("Cannot upload out into " + ce.url("/output/out") + ": HTTP 413 planned words");
    }

    @Test
    void outputThatFindsTheCesDiskFullWaitsForRoom() throws IOException {
        ce.answer("PUT /output", 507, 507, 503);
        assertThat(job.run(shell("echo hi", "")).status()).isZero();
        assertThat(output("out")).isEqualTo("hi\n");
        assertThat(end().exitCode()).isZero();
    }

    @Test
    void aCeThatStaysFullIsTheReason() throws IOException {
        patience(Duration.ofSeconds(1));
        ce.answer("PUT /output", Collections.nCopies(1000, 507).toArray(Integer[]::new));
        job.run(shell("echo hi", ""));
        assertThat(end().exitCode()).isNull();
        assertThat(end().reason())
                .isEqualTo("Cannot upload out into " + ce.url("/output/out")
                        + ": HTTP 507 planned words; Cannot upload err into " + ce.url("/output/err")
                        + ": HTTP 507 planned words");
        assertThat(ce.requests)
                .as("after the time is over each file is tried once, as it was with the others before")
                .filteredOn(r -> r.equals("PUT /output/err"))
                .hasSize(2);
    }

    /** A payload may leave the node's disk as it likes. */
    @Test
    void outputIsBroughtThoughNothingCanBeWrittenBesideIt() throws IOException {
        job.run(shell("echo hi; mkdir ../error ../headers ../answer ../transfer", ""));
        assertThat(end().exitCode()).isZero();
        assertThat(output("out")).isEqualTo("hi\n");
    }

    @Test
    void anEndThatTheCeRefusesIsKnownByTheStatus() throws IOException {
        ce.answer("POST /events", 403, 403, 403);
        Ended ended = job.run(shell("exit 0", ""));
        assertThat(ended.status()).isEqualTo(75);
        assertThat(WrapperStatus.words(ended.status()))
                .hasValueSatisfying(w -> assertThat(w).contains("how the job ended"));
        assertThat(ended.stderr()).endsWith("Cannot tell the end of the job to " + ce.url("/events") + ": HTTP 403\n");
    }

    @Test
    void theProxyComesFromTheCe() throws IOException {
        job.proxy = directory.resolve("proxy on another host");
        ce.answer("GET /proxy", 503, 0);
        Ended ended = job.run(shell("cat \"$X509_USER_PROXY\"", ""));
        assertThat(ended.status()).isZero();
        assertThat(output("out")).isEqualTo("a proxy\n");
    }

    @Test
    void tokenIsOnNoCommandLine() throws IOException {
        job.command("curl", "printf '%s\\n' \"$@\" >> '" + directory + "/args'; exec /usr/bin/curl \"$@\"");
        ce.input.put("a", new byte[1]);
        job.proxy = directory.resolve("proxy on another host");
        job.run(shell("true", "InputSandbox = {\"a\"};"));
        assertThat(Files.readAllLines(directory.resolve("args")))
                .noneMatch(argument -> argument.contains("s3cr3t"))
                .anyMatch(argument -> argument.equals(ce.url("/input/a")));
    }

    /** Curl is started once for many files, and keeps its connection. */
    private void countCurls() throws IOException {
        job.command(
                "curl",
                "[[ $* != *--version* ]] && echo \"$*\" >> '" + directory + "/curls'; exec /usr/bin/curl \"$@\"");
    }

    private List<String> curlsForFiles() throws IOException {
        return Files.readAllLines(directory.resolve("curls")).stream()
                .filter(arguments -> arguments.contains("--config"))
                .toList();
    }

    @Test
    void manyFilesShareFewConnections() throws IOException {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < 150; i++) {
            ce.input.put("in" + i, ("input " + i).getBytes(StandardCharsets.UTF_8));
            names.append(i == 0 ? "" : ", ").append("\"in").append(i).append('"');
        }
        countCurls();
        Ended ended = job.run(shell(
                "for i in {0..149}; do mv in$i out$i; done",
                "InputSandbox = {" + names + "}; OutputSandbox = \"out*\";"
                        + " OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        for (int i = 0; i < 150; i++) {
            assertThat(output("out" + i)).isEqualTo("input " + i);
        }
        assertThat(end().exitCode()).isZero();
        assertThat(ce.requests).filteredOn(r -> r.startsWith("PUT")).hasSize(152);
        assertThat(ce.requests).filteredOn(r -> r.startsWith("GET")).hasSize(150);
        assertThat(curlsForFiles())
                .as("two for input, two for output, and its last file")
                .hasSizeLessThanOrEqualTo(5);
        assertThat(ce.filePorts).hasSizeLessThanOrEqualTo(5);
    }

    /** As curl reads its configuration: quotes, escapes, comments, options, globs. */
    @Test
    void filesOfAnyNameGoTogether() throws IOException {
        List<String> hostile = List.of(
                "a\"b",
                "\"",
                "back\\slash",
                "end\\",
                "\\n",
                "\\\"",
                "#no comment",
                "a = b",
                " blanks ",
                "--output x",
                "-",
                "[1-3]",
                "{a,b}",
                "ümlaut",
                "tab\there",
                "it's",
                "@x",
                "a\nurl = \"file:x\"",
                "cr\rhere",
                "$HOME`id`",
                "%41");
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < hostile.size(); i++) {
            made.append("printf ")
                    .append(i)
                    .append(" > ./")
                    .append(BashQuote.quote(hostile.get(i)))
                    .append('\n');
        }
        Path program = directory.resolve("program");
        Files.writeString(program, made);
        countCurls();
        Ended ended = job.run(shell(
                "source '" + program + "'",
                "OutputSandbox = \"*\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(end().reason()).isNull();
        for (int i = 0; i < hostile.size(); i++) {
            assertThat(ce.output).containsKey(hostile.get(i));
            assertThat(output(hostile.get(i))).as(hostile.get(i)).isEqualTo(Integer.toString(i));
        }
        assertThat(curlsForFiles()).hasSize(1);
    }

    @Test
    void whatFailsAmongManyIsTriedAlone() throws IOException {
        ce.answer("PUT /output", 1, 503, 1, 400, 1, 0, 1);
        countCurls();
        Ended ended = job.run(shell(
                "for i in {0..9}; do echo $i > f$i; done",
                "OutputSandbox = \"f*\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(end().reason()).isNull();
        for (int i = 0; i < 10; i++) {
            assertThat(output("f" + i)).isEqualTo(i + "\n");
            assertThat(ce.requests)
                    .filteredOn(("PUT /output/f" + i)::equals)
                    .hasSize(i == 1 || i == 3 || i == 5 ? 2 : 1);
        }
        assertThat(ce.requests).contains("HEAD /output/f1", "HEAD /output/f5").doesNotContain("HEAD /output/f3");
        assertThat(ce.requests).as("half of it was there").contains("bytes 1-1/2");
    }

    @Test
    void oneRefusedAmongManyIsLostAlone() throws IOException {
        ce.answer("PUT /output", 1, 413, 1, 1, 1, 413);
        job.run(shell(
                "for i in {0..2}; do echo $i > f$i; done",
                "OutputSandbox = \"f*\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(output("f2")).isEqualTo("2\n");
        assertThat(end().exitCode()).isZero();
        ce.close();
        open();
        ce.answer("PUT /output", 1, 413, 1, 413);
        job.run(shell(
                "for i in {0..2}; do echo $i > f$i; done",
                "OutputSandbox = \"f*\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(end().reason())
                .isEqualTo("Cannot upload f1 into " + ce.url("/output/f1") + ": HTTP 413 planned words");
        assertThat(output("f2")).isEqualTo("2\n");
    }

    @Test
    void inputThatFailsAmongManyIsTriedAlone() throws IOException {
        for (int i = 0; i < 8; i++) {
            ce.input.put("a" + i, ("<" + i + ">").getBytes(StandardCharsets.UTF_8));
        }
        ce.answer("GET /input", 1, 503, 1, 0, 1, 1, 503);
        String list = "InputSandbox = {\"a0\", \"a1\", \"a2\", \"a3\", \"a4\", \"a5\", \"a6\", \"a7\"};";
        countCurls();
        job.run(shell("cat a*", list));
        assertThat(output("out")).isEqualTo("<0><1><2><3><4><5><6><7>");
        assertThat(curlsForFiles()).as("two together, two alone, and output").hasSizeLessThanOrEqualTo(6);
        ce.close();
        open();
        patience(Duration.ofSeconds(1));
        ce.input.put("a0", new byte[1]);
        job.run(shell("cat a*", list));
        assertThat(end().reason()).isEqualTo("Cannot move ISB (HTTP 404 no such file): a1");
    }

    @Test
    void twoFilesOfOneNameAreOneAmongManyToo() throws IOException {
        job.run(shell(
                "mkdir d; echo 1 > f; echo 2 > d/f; echo 3 > g",
                "OutputSandbox = {\"g\", \"f\", \"d/f*\"}; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(output("f")).isEqualTo("1\n");
        assertThat(output("g")).isEqualTo("3\n");
        assertThat(end().reason()).endsWith("/output/f: another file of that name is there, ./f");
    }

    /** Something of the job that no batch system ends writes on. */
    @Test
    void aFileThatGrowsWhileItIsSentIsSentAsItWas() throws IOException {
        job.command("sha256sum", """
                /usr/bin/sha256sum "$@"
                for file in "$TMPDIR"/CREAM*/*/grows; do
                    [[ ! -e $file ]] || echo more >> "$file"
                done
                """);
        job.run(shell(
                "echo begun > grows; echo x > other",
                "OutputSandbox = {\"grows\", \"other\"}; OutputSandboxBaseDestURI = \"gsiftp://localhost\";"));
        assertThat(end().reason()).isNull();
        assertThat(end().exitCode()).isZero();
        assertThat(output("grows")).startsWith("begun\n").matches("begun\n(more\n)*");
        assertThat(output("other")).isEqualTo("x\n");
        ce.close();
        open();
        ce.answer("PUT /output", 0);
        job.run(shell("echo begun > grows", "StdOutput = \"grows\"; StdError = \"grows\";"));
        assertThat(output("grows")).isEqualTo("begun\n");
        assertThat(ce.requests).contains("bytes 3-5/6");
    }
}
