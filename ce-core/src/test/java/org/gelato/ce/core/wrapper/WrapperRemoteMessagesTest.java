package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.WrapperRun.Running;
import org.gelato.ce.core.wrapper.peer.FakeCe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jobs send over HTTPS, to a CE that takes, delays and refuses. */
class WrapperRemoteMessagesTest {
    @TempDir
    Path directory;

    private WrapperRun job;
    private FakeCe ce;

    @BeforeEach
    void open() throws IOException {
        job = new WrapperRun(directory);
        ce = new FakeCe();
        job.eventsUrl = ce.url("/events");
        job.messagesUrl = ce.url("/messages");
        job.remote = new RemoteSandbox(ce.url("/claims"), ce.url("/input/"), ce.url("/output/"));
        job.command("sleep", "exec /bin/sleep 0.05");
    }

    @AfterEach
    void close() {
        ce.close();
    }

    /** Each once, by number. */
    private List<String> texts() {
        String[] texts = new String[(int) ce.wanted - 1];
        ce.batches.stream().filter(batch -> batch.kind() == Message.Kind.TEXT).forEach(batch -> {
            for (int i = 0; i < batch.lines().size(); i++) {
                texts[(int) batch.first() - 1 + i] =
                        new String(batch.lines().get(i).text(), StandardCharsets.UTF_8);
            }
        });
        return List.of(texts);
    }

    private static List<String> numbers(int to) {
        return IntStream.rangeClosed(1, to).mapToObj(Integer::toString).toList();
    }

    private String end() {
        List<String> ends =
                ce.events.stream().filter(e -> e.contains("event=DONE\n")).toList();
        assertThat(ends).hasSize(1);
        return ends.get(0);
    }

    private byte[] output(Message.Kind stream) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ce.batches.stream().filter(batch -> batch.kind() == stream).forEach(batch -> {
            if (batch.first() == all.size()) {
                all.writeBytes(batch.output());
            }
        });
        return all.toByteArray();
    }

    private String until(String file) {
        return "until [ -e '" + directory + "/" + file + "' ]; do sleep 0.05; done;";
    }

    private long posts() {
        return ce.requests.stream().filter("POST /messages"::equals).count();
    }

    @Test
    void aJobThatSendsNothingAsksNothing() throws IOException {
        job.run(shell("/bin/sleep 1.2", ""));
        assertThat(posts()).isZero();
        assertThat(end()).doesNotContain("messages=");
    }

    @Test
    void messagesComeWhileTheJobRunsAndTheLastBeforeItsEnd() throws Exception {
        Running running = job.start(shell("gelato-message --key k 1; " + until("go") + " gelato-message 2", ""));
        await().until(() -> texts().equals(numbers(1)));
        assertThat(ce.events).noneMatch(e -> e.contains("event=DONE"));
        assertThat(ce.batches.get(0).lines().get(0).key()).isEqualTo("k");
        Files.createFile(directory.resolve("go"));
        running.end();
        assertThat(texts()).isEqualTo(numbers(2));
        assertThat(end()).contains("\nmessages=2\n");
    }

    @Test
    void aBurstGoesOverOneConnection() throws IOException {
        job.run(shell(
                "for i in $(seq 300); do echo $i; done | gelato-message -; text=$(printf \"%3000s\" x);"
                        + " for i in $(seq 10); do gelato-message \"$text\"; done",
                ""));
        assertThat(texts()).hasSize(310);
        assertThat(texts().subList(0, 300)).isEqualTo(numbers(300));
        assertThat(ce.batches).hasSizeGreaterThanOrEqualTo(6);
        assertThat(ce.ports.stream().distinct().count()).isLessThan(ce.batches.size());
        assertThat(end()).contains("\nmessages=310\n");
    }

    @Test
    void whatTheCeCouldNotStoreIsSentAgain() throws IOException {
        ce.answer("POST /messages", 503, 0, 500, 429);
        job.run(shell("seq 2000 | gelato-message -", ""));
        assertThat(texts()).isEqualTo(numbers(2000));
        assertThat(end()).contains("\nmessages=2000\n");
    }

    @Test
    void aGapIsFilled() throws Exception {
        Running running = job.start(
                shell("for i in 1 2 3; do gelato-message $i; done; " + until("go") + " gelato-message 4", ""));
        await().until(() -> texts().equals(numbers(3)));
        ce.wanted = 2; // as of a database of yesterday
        Files.createFile(directory.resolve("go"));
        running.end();
        assertThat(texts()).isEqualTo(numbers(4));
        assertThat(ce.batches.get(ce.batches.size() - 1).first()).isEqualTo(2);
    }

    @Test
    void aFullQuotaEndsTheSending() throws Exception {
        ce.answer("POST /messages", 413);
        Running running = job.start(shell("gelato-message 1; " + until("go") + " gelato-message 2", ""));
        await().until(() -> posts() == 1);
        Files.createFile(directory.resolve("go"));
        running.end();
        assertThat(posts()).isEqualTo(1);
        assertThat(end()).contains("\nexit=0\n").contains("\nmessages=2\n");
    }

    @Test
    void refusedMessagesEndTheSendingAndNotTheJob() throws Exception {
        ce.answer("POST /messages", 403);
        Running running = job.start(
                shell("gelato-message 1; " + until("go") + " gelato-message 2; echo x", "LiveOutput = true;"));
        await().until(() -> posts() == 1);
        Files.createFile(directory.resolve("go"));
        assertThat(running.end().status()).isZero();
        assertThat(posts()).isEqualTo(1);
        assertThat(ce.output).containsKey("out");
    }

    /** The patience is an hour's in the field and a second's here. */
    @Test
    void aCeThatIsAwayDoesNotHoldTheEndForEver() throws IOException {
        job.replaced.put("limit=60", "limit=1");
        job.messagesUrl = "http://127.0.0.1:9/messages";
        Ended ended = job.run(shell("gelato-message 1", ""));
        assertThat(ended.status()).isZero();
        assertThat(end()).contains("\nmessages=1\n");
    }

    @Test
    void outputIsLiveFromTheAnswerThatSaysSo() throws Exception {
        ce.live = true;
        Running running = job.start(
                shell("echo one; gelato-message 1; " + until("go") + " printf \"two\\\\0\\\\n\"; echo oops >&2", ""));
        await().until(() -> output(Message.Kind.STDOUT).length == 4);
        Files.createFile(directory.resolve("go"));
        running.end();
        assertThat(output(Message.Kind.STDOUT)).asString().isEqualTo("one\ntwo\0\n");
        assertThat(output(Message.Kind.STDERR)).asString().isEqualTo("oops\n");
        assertThat(ce.output.get("out")).isEqualTo(output(Message.Kind.STDOUT));
    }

    @Test
    void lostOutputIsSentAgain() throws IOException {
        ce.answer("POST /messages", 0, 503);
        job.run(shell("seq 5000; echo x >&2", "LiveOutput = true;"));
        assertThat(output(Message.Kind.STDOUT)).isEqualTo(ce.output.get("out"));
        assertThat(output(Message.Kind.STDERR)).asString().isEqualTo("x\n");
    }

    @Test
    void theSecretIsOnNoCommandLine() throws IOException {
        job.command("curl", "printf '%s\\n' \"$@\" >> '" + directory + "/args'; exec /usr/bin/curl \"$@\"");
        job.run(shell("gelato-message 1", ""));
        assertThat(Files.readAllLines(directory.resolve("args")))
                .noneMatch(argument -> argument.contains("s3cr3t"))
                .contains(ce.url("/messages"));
    }

    /** A node that sees the sandbox, and a CE that takes events over HTTPS: the CE reads the journal itself. */
    @Test
    void withASharedSandboxTheJournalLiesThere() throws IOException {
        job.remote = null;
        job.run(shell("seq 3 | gelato-message -", ""));
        assertThat(texts()).isEqualTo(numbers(3));
        assertThat(Files.readAllLines(job.sandbox.resolve("messages"))).hasSize(3);
        assertThat(end()).contains("\nmessages=3\n");
        assertThat(job.events).doesNotExist();
    }

    @Test
    void aTerminatedJobSendsWhatItSaid() throws Exception {
        Running running = job.start(shell(
                "trap \"gelato-message bye; exit\" TERM; touch '" + directory + "/runs'; while :; do sleep 0.1; done",
                ""));
        await().until(() -> Files.exists(directory.resolve("runs")));
        running.process.destroy();
        running.end();
        assertThat(texts()).containsExactly("bye");
        assertThat(end()).contains("got SIGTERM").contains("\nmessages=1\n");
    }
}
