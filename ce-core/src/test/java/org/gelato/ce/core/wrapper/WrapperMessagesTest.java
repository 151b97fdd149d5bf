package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageBatch;
import org.gelato.ce.core.message.MessageLevel;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.WrapperRun.Running;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What jobs send where their worker node sees the sandbox, by a real bash; the test takes files from the spool as the CE does. */
class WrapperMessagesTest {
    @TempDir
    Path directory;

    private WrapperRun job;
    private final List<MessageBatch> taken = new ArrayList<>();

    /** Whether the script is whole; else its common part is a file. */
    boolean isWhole() {
        return false;
    }

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        job.whole = isWhole();
    }

    private Path journal() {
        return job.sandbox.resolve("messages");
    }

    /** Lines of the journal as the CE reads them. */
    private List<MessageBatch.Line> lines() throws IOException {
        byte[] head = "job=CREAM000000042\nevent=MESSAGES\nfirst=1\n\n".getBytes(StandardCharsets.UTF_8);
        List<MessageBatch.Line> lines = new ArrayList<>();
        byte[] all = Files.readAllBytes(journal());
        int begin = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == '\n') {
                ByteArrayOutputStream batch = new ByteArrayOutputStream();
                batch.writeBytes(head);
                batch.write(all, begin, i + 1 - begin);
                lines.addAll(
                        MessageBatch.parse(batch.toByteArray()).orElseThrow().lines());
                begin = i + 1;
            }
        }
        return lines;
    }

    private static String text(MessageBatch.Line line) {
        return new String(line.text(), StandardCharsets.UTF_8);
    }

    private List<String> texts() throws IOException {
        return lines().stream().map(WrapperMessagesTest::text).toList();
    }

    /** What a CE would have got until now, in order: it takes every file there is. */
    private List<Path> take(String kind) {
        try (Stream<Path> files = Files.exists(job.events) ? Files.list(job.events) : Stream.empty()) {
            List<Path> found =
                    files.filter(f -> f.toString().endsWith(kind)).sorted().toList();
            for (Path file : found) {
                taken.add(MessageBatch.parse(Files.readAllBytes(file)).orElseThrow());
                Files.delete(file);
            }
            return found;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private int messagesTaken() {
        return taken.stream().mapToInt(batch -> batch.lines().size()).sum();
    }

    private byte[] output(Message.Kind stream) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        taken.stream().filter(batch -> batch.kind() == stream).forEach(batch -> {
            assertThat(batch.first()).isEqualTo(all.size());
            all.writeBytes(batch.output());
        });
        return all.toByteArray();
    }

    private String done() throws IOException {
        return Files.readString(job.sandbox.resolve("exit"));
    }

    /** Words of a job that waits until the test makes file {@code go}. */
    private String until(String file) {
        return "until [ -e '" + directory + "/" + file + "' ]; do sleep 0.05; done;";
    }

    private void go(String file) throws IOException {
        Files.createFile(directory.resolve(file));
    }

    @Test
    void aJobThatSendsNothingLeavesNoTrace() throws IOException {
        Ended ended = job.run(shell("sleep 1.5; test -x \"$(type -P gelato-message)\"", ""));
        assertThat(ended.stderr()).isEmpty();
        assertThat(WrapperRun.read(job.sandbox.resolve("exit")).exitCode()).isZero();
        assertThat(journal()).doesNotExist();
        assertThat(job.spooled()).hasSize(3);
        assertThat(done()).doesNotContain("messages=");
        assertThat(WrapperRun.names(job.sandbox)).containsExactlyInAnyOrder("wrapper.sh", "claim", "OSB", "exit");
    }

    @Test
    void messagesHaveLevelKeyAndText() throws IOException {
        Instant before = Instant.now().minusSeconds(1);
        Ended ended = job.run(shell(
                "gelato-message begun; gelato-message --key step.1 --level warning two  words;"
                        + " gelato-message --level=e --key=a_b-c -- -5; gelato-message \"\"; printf \"l1\\nl2\\n\\nlast\" |"
                        + " gelato-message --level D -; gelato-message \"a$(printf \"\\\\n\\\\t\\\\r\\\\033\")b\" \\\\n",
                ""));
        assertThat(ended.stderr()).isEmpty();
        assertThat(job.output("err")).isEmpty();
        assertThat(texts()).containsExactly("begun", "two words", "-5", "", "l1", "l2", "", "last", "a\n\t  b \\n");
        assertThat(lines())
                .extracting(MessageBatch.Line::key)
                .containsExactly(null, "step.1", "a_b-c", null, null, null, null, null, null);
        assertThat(lines())
                .extracting(MessageBatch.Line::level)
                .containsExactly(
                        MessageLevel.INFO,
                        MessageLevel.WARNING,
                        MessageLevel.ERROR,
                        MessageLevel.INFO,
                        MessageLevel.DEBUG,
                        MessageLevel.DEBUG,
                        MessageLevel.DEBUG,
                        MessageLevel.DEBUG,
                        MessageLevel.INFO);
        assertThat(lines())
                .allSatisfy(line ->
                        assertThat(line.time()).isBetween(before, Instant.now().plusSeconds(1)));
        assertThat(done()).contains("\nmessages=9\n");
        assertThat(WrapperEvent.parse(done().getBytes(StandardCharsets.UTF_8))).isPresent();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --key 'a b' text          | --key takes 1 to 64 letters
            --key= text               | --key takes 1 to 64 letters
            --key                     | --key takes 1 to 64 letters
            --key $(printf %065d 1) text | --key takes 1 to 64 letters
            --key $'a\\nb' text       | --key takes 1 to 64 letters
            --level loud text         | --level takes DEBUG
            --level                   | --level takes DEBUG
            --lvel I text             | unknown option --lvel
            """)
    void wrongWordsAreRefused(String words, String error) throws IOException {
        Path script = job.upload("run", "gelato-message " + words + "; echo $?");
        assertThat(script).exists();
        job.run(shell("bash ./run", "InputSandbox = \"run\";"));
        assertThat(job.output("out")).isEqualTo("2\n");
        assertThat(job.output("err")).startsWith("gelato-message: " + error);
        assertThat(journal()).doesNotExist();
    }

    @Test
    void withoutATextItSaysSo() throws IOException {
        job.run(shell("gelato-message; echo $?; gelato-message --help; echo $?", ""));
        assertThat(job.output("err")).isEqualTo("gelato-message: no text; see gelato-message --help\n");
        assertThat(job.output("out"))
                .startsWith("2\nUsage: gelato-message [--key NAME]")
                .endsWith("\n0\n");
    }

    @Test
    void aLongTextIsCutBetweenCharacters() throws IOException {
        Files.writeString(directory.resolve("long"), "x" + "ü".repeat(5000) + "\n" + "\\".repeat(4001) + "\nend\n");
        Files.writeString(directory.resolve("4000"), "y".repeat(4000) + "\nend\n" + "z".repeat(4001) + "\n");
        job.run(shell(
                "gelato-message - < '" + directory + "/long'; gelato-message \"$(head -n 1 '" + directory + "/long')\";"
                        + " gelato-message - < '" + directory + "/4000'",
                ""));
        assertThat(job.output("err")).isEmpty();
        assertThat(texts())
                .containsExactly(
                        "x" + "ü".repeat(1999),
                        "\\".repeat(2000),
                        "end",
                        "x" + "ü".repeat(1999),
                        "y".repeat(4000),
                        "end",
                        "z".repeat(4000));
        assertThat(Files.readString(journal()).lines()).allMatch(line -> line.length() < 4096);
    }

    @Test
    void whatIsNoTextBecomesOne() throws IOException {
        Files.write(directory.resolve("bytes"), bytes(0, 256));
        Ended ended = job.run(shell(
                "gelato-message - < '" + directory + "/bytes'; printf \"\\\\300\\\\200 \\\\355\\\\240\\\\200\" |"
                        + " gelato-message -; gelato-message \"$(printf \"\\\\377\\\\001\\\\177\")x\"",
                ""));
        assertThat(ended.stderr()).isEmpty();
        assertThat(job.output("err")).isEmpty();
        assertThat(texts()).hasSize(4).allMatch(text -> text.chars().noneMatch(c -> c < ' ' && c != '\t'));
        assertThat(texts().get(0)).isEqualTo(" ".repeat(8) + "\t");
        assertThat(texts().get(1)).contains(" !\"#$%&'()*").contains("[\\]^_");
        assertThat(texts().get(3)).isEqualTo("\uFFFD  x");
    }

    private static byte[] bytes(int from, int to) {
        byte[] bytes = new byte[to - from];
        IntStream.range(from, to).forEach(i -> bytes[i - from] = (byte) i);
        return bytes;
    }

    @Test
    void manyProcessesAppendWithoutALock() throws IOException {
        job.upload("many", """
                text=$(printf '%3980s' | tr ' ' t)
                for p in {1..20}; do
                    for m in {1..15}; do gelato-message --key "p$p" "$m $text"; done &
                done
                wait
                """);
        job.run(shell("bash ./many", "InputSandbox = \"many\";"));
        assertThat(job.output("err")).isEmpty();
        List<MessageBatch.Line> lines = lines();
        assertThat(lines).hasSize(300);
        for (int p = 1; p <= 20; p++) {
            String key = "p" + p;
            List<String> own = lines.stream()
                    .filter(line -> key.equals(line.key()))
                    .map(WrapperMessagesTest::text)
                    .toList();
            assertThat(own)
                    .isEqualTo(IntStream.rangeClosed(1, 15)
                            .mapToObj(m -> m + " " + "t".repeat(3980))
                            .toList());
        }
        assertThat(done()).contains("\nmessages=300\n");
    }

    @Test
    void aFullJournalIsRefusedAndTheJobRunsOn() throws IOException {
        job.replaced.put("ulimit -S -f 65536", "ulimit -S -f 8");
        Ended ended = job.run(shell(
                "text=$(printf \"%3000s\" x); for i in 1 2 3 4; do gelato-message \"$text\"; echo $?; done;"
                        + " yes | gelato-message -; echo $?",
                ""));
        assertThat(ended.status()).isZero();
        assertThat(job.output("out")).isEqualTo("0\n0\n1\n1\n1\n");
        assertThat(job.output("err").lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("gelato-message: cannot write to " + journal()));
        assertThat(Files.size(journal())).isLessThanOrEqualTo(8192);
        assertThat(done()).contains("\nmessages=2\n");
    }

    @Test
    void withoutAJournalThereIsNoMessage() throws IOException {
        job.run(shell(
                "env -u GELATO_JOURNAL gelato-message x; echo $?; GELATO_JOURNAL=/no/such/file gelato-message x; echo $?",
                ""));
        assertThat(job.output("out")).isEqualTo("1\n1\n");
        assertThat(job.output("err")).contains("GELATO_JOURNAL is not set", "cannot open /no/such/file");
    }

    @Test
    void theJobsOwnPathComesBehind() throws IOException {
        job.run(
                shell(
                        "echo $PATH; gelato-message x",
                        "Environment = { \"PATH=/bin:/usr/bin\", \"BASH_ENV=/no/such\", \"POSIXLY_CORRECT=1\", \"LC_ALL=xx\" };"));
        assertThat(job.output("out")).matches("/.*/bin:/bin:/usr/bin\n");
        assertThat(texts()).containsExactly("x");
    }

    @Test
    void onlyThePayloadHasTheCommand() throws IOException {
        Ended ended = job.run(shell(
                "true",
                "Epilogue = \"/bin/sh\"; EpilogueArguments = \"-c 'echo [$GELATO_JOURNAL]; type gelato-message; true'\";"
                        + "Prologue = \"/bin/sh\"; PrologueArguments = \"-c 'echo [$GELATO_JOURNAL]'\";"));
        assertThat(ended.stdout()).startsWith("[]\n").contains("\n[]\n").doesNotContain("/gelato-message");
    }

    @Test
    void whereMessagesAreOffThereIsNoCommand() throws IOException {
        job.messages = MessageSettings.NONE;
        job.run(shell(
                "type -P gelato-message; echo \"[$GELATO_JOURNAL]\"", "MonitorFilters = \"/x/\"; LiveOutput = true;"));
        assertThat(job.output("out")).isEqualTo("[]\n");
        assertThat(job.spooled()).hasSize(3);
    }

    @Test
    void oneFileWaitsInTheSpoolAndTheNextHasAllThatCameMeanwhile() throws Exception {
        Running running = job.start(shell(
                "gelato-message 1; " + until("one") + " for i in 2 3 4; do gelato-message $i; done; touch '" + directory
                        + "/sent'; " + until("two"),
                ""));
        await().until(() -> spooledBatches() == 1);
        go("one");
        await().until(() -> Files.exists(directory.resolve("sent")));
        // The messenger has had several turns by the time another process has been seen to wait that long.
        new ProcessBuilder("sleep", "2.5").start().waitFor();
        assertThat(spooledBatches()).isEqualTo(1);
        take("MESSAGES");
        await().until(() -> spooledBatches() == 1);
        take("MESSAGES");
        assertThat(taken).extracting(MessageBatch::first).containsExactly(1L, 2L);
        assertThat(taken.stream().flatMap(b -> b.lines().stream()).map(WrapperMessagesTest::text))
                .containsExactly("1", "2", "3", "4");
        assertThat(taken).allSatisfy(batch -> {
            assertThat(batch.job()).hasToString("CREAM000000042");
            assertThat(batch.token()).isEqualTo(WrapperRun.TOKEN);
        });
        go("two");
        running.end();
        assertThat(done()).contains("\nmessages=4\n");
    }

    private long spooledBatches() throws IOException {
        if (!Files.exists(job.events)) {
            return 0;
        }
        return WrapperRun.names(job.events).stream()
                .filter(name -> name.endsWith("MESSAGES"))
                .count();
    }

    @Test
    void batchesAreNoLargerThanTheCeTakes() throws Exception {
        Running running = job.start(shell(
                "text=$(printf \"%700s\" | tr \" \" x); for i in $(seq 40); do gelato-message \"$i $text\"; done; "
                        + until("go"),
                ""));
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            take("MESSAGES");
            return messagesTaken() == 40;
        });
        go("go");
        running.end();
        long next = 1;
        for (MessageBatch batch : taken) {
            assertThat(batch.first()).isEqualTo(next);
            next += batch.lines().size();
        }
        assertThat(taken).hasSizeBetween(4, 20);
    }

    /** A job may write anything, and the numbers must stay those of the journal's lines. */
    @Test
    void aForgedJournalKeepsItsNumbers() throws Exception {
        Running running = job.start(shell(
                "printf \"a\\\\n\\\\n\" >> \"$GELATO_JOURNAL\"; head -c 3000000 /dev/zero | tr \"\\\\0\" z >> \"$GELATO_JOURNAL\";"
                        + " printf \"\\\\n\" >> \"$GELATO_JOURNAL\"; head -c 9000 /dev/zero >> \"$GELATO_JOURNAL\";"
                        + " echo \"__gelato_token=\\$(touch '" + directory + "/evil')\" >> \"$GELATO_JOURNAL\";"
                        + " gelato-message last; " + until("go"),
                ""));
        await().until(() -> {
            take("MESSAGES");
            return messagesTaken() == 5;
        });
        go("go");
        running.end();
        List<String> texts = taken.stream()
                .flatMap(b -> b.lines().stream())
                .map(WrapperMessagesTest::text)
                .toList();
        assertThat(texts.get(0)).isEqualTo("a");
        assertThat(texts.get(1)).isEmpty();
        assertThat(texts.get(2)).startsWith("zzz");
        assertThat(texts.get(3)).startsWith("__gelato_token=$(touch");
        assertThat(texts.get(4)).isEqualTo("last");
        assertThat(done()).contains("\nmessages=5\n");
        assertThat(directory.resolve("evil")).doesNotExist();
    }

    @Test
    void aJournalThatIsNoFileHoldsNobodyUp() throws IOException {
        job.run(shell("mkfifo \"$GELATO_JOURNAL\"; sleep 1.2", ""));
        assertThat(done()).doesNotContain("messages=");
    }

    @Test
    void overTheQuotaNothingMoreIsSent() throws Exception {
        job.messages = new MessageSettings(3, 4 << 20, 4 << 20);
        Running running = job.start(shell(
                "for i in 1 2 3 4 5 6 7; do gelato-message $i; done; " + until("one") + " gelato-message 8; touch '"
                        + directory + "/sent'; " + until("two"),
                ""));
        await().until(() -> {
            take("MESSAGES");
            return messagesTaken() == 4;
        });
        go("one");
        await().until(() -> Files.exists(directory.resolve("sent")));
        new ProcessBuilder("sleep", "2.5").start().waitFor();
        assertThat(take("MESSAGES")).isEmpty();
        go("two");
        running.end();
        assertThat(done()).as("the CE says what it did not store").contains("\nmessages=8\n");
    }

    @Test
    void aKilledMessengerLosesNothing() throws Exception {
        Running running = job.start(shell(
                "gelato-message 1; " + until("one") + " for p in /proc/[0-9]*; do"
                        + " [ \"$(readlink $p/fd/7)\" != \"$GELATO_JOURNAL\" ] || kill -9 ${p#/proc/}; done 2>/dev/null;"
                        + " gelato-message 2; gelato-message 3",
                ""));
        await().until(() -> !take("MESSAGES").isEmpty());
        go("one");
        Ended ended = running.end();
        assertThat(ended.status()).isZero();
        assertThat(take("MESSAGES")).isEmpty();
        assertThat(texts()).containsExactly("1", "2", "3");
        assertThat(done()).contains("\nmessages=3\n");
    }

    @Test
    void theMessengerEndsWithTheWrapper() throws Exception {
        Running running = job.start(shell(
                "gelato-message 1; echo $$ > '" + directory + "/pid.new'; mv '" + directory + "/pid.new' '" + directory
                        + "/pid'; exec sleep 300",
                ""));
        await().until(() -> spooledBatches() == 1);
        assertThat(holders()).isEqualTo(1);
        running.process.destroyForcibly().waitFor();
        await().until(() -> holders() == 0);
        ProcessHandle.of(Long.parseLong(
                        Files.readString(directory.resolve("pid")).trim()))
                .ifPresent(ProcessHandle::destroyForcibly);
    }

    /** Processes that have the journal open. */
    private long holders() {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    try {
                        return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/fd/7"))
                                .equals(journal());
                    } catch (IOException e) {
                        return false;
                    }
                })
                .count();
    }

    @Test
    void outputIsLiveWhenTheDescriptionSaysSo() throws Exception {
        Running running = job.start(
                shell("printf \"one\\\\0\\\\n\"; echo oops >&2; " + until("go") + " echo two", "LiveOutput = true;"));
        await().until(() -> {
            take("OUTPUT");
            return taken.size() == 2;
        });
        go("go");
        running.end();
        take("OUTPUT");
        assertThat(output(Message.Kind.STDOUT)).isEqualTo(Files.readAllBytes(job.sandbox.resolve("OSB/out")));
        assertThat(output(Message.Kind.STDOUT)).asString().isEqualTo("one\0\ntwo\n");
        assertThat(output(Message.Kind.STDERR)).asString().isEqualTo("oops\n");
        assertThat(taken).allSatisfy(batch -> assertThat(batch.time()).isNotNull());
        assertThat(done()).doesNotContain("messages=");
    }

    @Test
    void outputIsLiveFromWhenSomebodyWantsIt() throws Exception {
        Running running = job.start(shell("echo one; touch '" + directory + "/runs'; " + until("go"), ""));
        await().until(() -> Files.exists(directory.resolve("runs")));
        Files.createFile(job.sandbox.resolve("live"));
        await().until(() -> !take("OUTPUT").isEmpty());
        go("go");
        running.end();
        assertThat(output(Message.Kind.STDOUT)).asString().isEqualTo("one\n");
    }

    @Test
    void joinedStreamsAreSentOnce() throws IOException {
        job.run(WrapperRun.jdl("Executable = \"/bin/sh\"; Arguments = \"-c 'echo a; echo b >&2'\"; StdOutput = \"all\";"
                + " StdError = \"all\"; LiveOutput = true;"));
        take("OUTPUT");
        assertThat(output(Message.Kind.STDOUT)).asString().isEqualTo("a\nb\n");
        assertThat(output(Message.Kind.STDERR)).isEmpty();
    }

    /**
     * Fifty megabytes in a moment, a gigabyte with {@code -Dgelato.soak.minutes}: the spool has a file per stream until the end, and then
     * the last part.
     */
    @Test
    void muchOutputIsCutAndTheFileIsWhole() throws Exception {
        long printed = Long.getLong("gelato.soak.minutes", 0) > 0 ? 1L << 30 : 50L << 20;
        Running running = job.start(shell(
                "head -c " + printed + " /dev/zero | tr \"\\\\0\" x; touch '" + directory + "/printed'; " + until("go"),
                "LiveOutput = true;"));
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(directory.resolve("printed")));
        await().until(() -> !take("OUTPUT").isEmpty());
        go("go");
        running.end();
        assertThat(Files.size(job.sandbox.resolve("OSB/out"))).isEqualTo(printed);
        take("OUTPUT");
        long end = 0;
        long bytes = 0;
        for (MessageBatch batch : taken) {
            assertThat(batch.first()).isGreaterThanOrEqualTo(end);
            end = batch.first() + batch.output().length;
            bytes += batch.output().length;
        }
        assertThat(end).isEqualTo(printed);
        assertThat(bytes).isLessThan(400_000);
    }

    @Test
    void outputOverTheQuotaIsNotSent() throws Exception {
        job.messages = new MessageSettings(10, 4 << 20, 10_000);
        job.run(shell("head -c 60000 /dev/zero | tr \"\\\\0\" x", "LiveOutput = true;"));
        take("OUTPUT");
        assertThat(taken.stream().mapToInt(batch -> batch.output().length).sum())
                .isBetween(10_001, 20_000);
        assertThat(Arrays.stream(job.output("out").split("")).distinct()).containsExactly("x");
    }
}
