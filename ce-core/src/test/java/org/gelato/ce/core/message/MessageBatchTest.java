package org.gelato.ce.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gelato.ce.core.job.JobId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What wrappers send, and what is no batch. */
class MessageBatchTest {
    private static final JobId JOB = new JobId(42);
    private static final String HEAD = "job=" + JOB + "\nevent=MESSAGES\nfirst=7\ntoken=secret\n\n";
    private static final String OUTPUT_HEAD =
            "job=" + JOB + "\nevent=OUTPUT\nstream=stderr\nfirst=100\ntime=1700000000000001\ntoken=secret\n\n";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static MessageBatch.Line line(String line) {
        List<MessageBatch.Line> lines =
                MessageBatch.parse(bytes(HEAD + line + "\n")).orElseThrow().lines();
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }

    private static String text(MessageBatch.Line line) {
        return new String(line.text(), StandardCharsets.UTF_8);
    }

    @Test
    void linesOfTheJournalAreMessages() {
        MessageBatch batch = MessageBatch.parse(
                        bytes(HEAD + "1700000000000001 W step.1 one\\ntwo \\\\n\n1700000000000002 I - \n"))
                .orElseThrow();
        assertThat(batch.job()).isEqualTo(JOB);
        assertThat(batch.token()).isEqualTo("secret");
        assertThat(batch.kind()).isEqualTo(Message.Kind.TEXT);
        assertThat(batch.first()).isEqualTo(7);
        assertThat(batch.size()).isEqualTo(2);
        MessageBatch.Line line = batch.lines().get(0);
        assertThat(line.time()).isEqualTo(Instant.ofEpochSecond(1_700_000_000, 1000));
        assertThat(line.level()).isEqualTo(MessageLevel.WARNING);
        assertThat(line.key()).isEqualTo("step.1");
        assertThat(text(line)).isEqualTo("one\ntwo \\n");
        assertThat(batch.lines().get(1).key()).isNull();
        assertThat(text(batch.lines().get(1))).isEmpty();
    }

    @Test
    void outputIsTheBytesAsTheyAre() throws Exception {
        byte[] random = new byte[5000];
        new Random(1).nextBytes(random);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(bytes(OUTPUT_HEAD));
        all.write(random);
        MessageBatch batch = MessageBatch.parse(all.toByteArray()).orElseThrow();
        assertThat(batch.kind()).isEqualTo(Message.Kind.STDERR);
        assertThat(batch.first()).isEqualTo(100);
        assertThat(batch.time()).isEqualTo(Instant.ofEpochSecond(1_700_000_000, 1000));
        assertThat(batch.output()).isEqualTo(random);
        assertThat(batch.size()).isOne();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no line of a wrapper",
                "1700000000000001 X - unknown level",
                "1700000000000001 WARNING - a word",
                "-1 I - before the beginning",
                "1700000000000001 I bad/key text",
                "1700000000000001 I -",
                ""
            })
    void anotherLineIsAMessageOfItsText(String line) {
        assertThat(text(line(line))).isEqualTo(line);
        assertThat(line(line).time()).isNull();
        assertThat(line(line).key()).isNull();
        assertThat(line(line).level()).isEqualTo(MessageLevel.INFO);
    }

    @Test
    void textsAreHarmlessAndBounded() {
        assertThat(text(line("1 I - a\u001b[31m\u0000b\rc\td"))).isEqualTo("a\ufffd[31m\ufffdb\ufffdc\td");
        assertThat(text(line("1 I - " + "\u00e4".repeat(3000)))).isEqualTo("\u00e4".repeat(2000));
        assertThat(text(line("1 I - x" + "\ud83d\ude00".repeat(1500)))).isEqualTo("x" + "\ud83d\ude00".repeat(999));
        byte[] broken = bytes(HEAD + "1 I - ab\n");
        broken[broken.length - 2] = (byte) 0xff;
        assertThat(text(MessageBatch.parse(broken).orElseThrow().lines().get(0)))
                .isEqualTo("a\ufffd");
    }

    @Test
    void timesAreWhatTheDatabaseHolds() {
        assertThat(line("999999999999999999 I - x").time()).isEqualTo(Instant.parse("9999-12-31T23:59:59.999999Z"));
        assertThat(line("9999999999999999999999 I - x").time()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "job=CREAM000000042\nevent=MESSAGES\nfirst=1\ntoken=t\n\n",
                "job=CREAM000000042\nevent=MESSAGES\nfirst=1\ntoken=t\n\n1 I - cut",
                "job=CREAM000000042\nevent=MESSAGES\nfirst=0\ntoken=t\n\n1 I - x\n",
                "job=CREAM000000042\nevent=MESSAGES\nfirst=-1\ntoken=t\n\n1 I - x\n",
                "job=CREAM000000042\nevent=MESSAGES\nfirst=12345678901234567890\ntoken=t\n\n1 I - x\n",
                "job=CREAM000000042\nevent=RUNNING\nfirst=1\ntoken=t\n\n1 I - x\n",
                "job=CREAM000000042\nevent=OUTPUT\nfirst=1\ntoken=t\n\nx",
                "job=CREAM000000042\nevent=OUTPUT\nstream=stdin\nfirst=1\ntoken=t\n\nx",
                "job=../../etc\nevent=MESSAGES\nfirst=1\ntoken=t\n\n1 I - x\n",
                "event=MESSAGES\nfirst=1\ntoken=t\n\n1 I - x\n"
            })
    void whatIsNoBatchIsNone(String text) {
        assertThat(MessageBatch.parse(bytes(text))).isEmpty();
    }

    @Test
    void aContentIsNoHead() {
        Optional<MessageBatch> batch =
                MessageBatch.parse(bytes("event=MESSAGES\nfirst=1\n\njob=" + JOB + "\ntoken=t\n"));
        assertThat(batch).isEmpty();
    }

    @Test
    void aLargerOneIsNone() {
        String line = "1 I - " + "x".repeat(100) + "\n";
        int lines = (MessageBatch.MAX_BYTES - HEAD.length()) / line.length();
        assertThat(MessageBatch.parse(bytes(HEAD + line.repeat(lines)))).isPresent();
        assertThat(MessageBatch.parse(bytes(HEAD + line.repeat(lines + 1)))).isEmpty();
    }

    @Test
    void noBytesMakeItFail() {
        Random random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            byte[] text = bytes(random.nextBoolean() ? HEAD + "1 I k a\\" + "\n" : OUTPUT_HEAD + "x");
            for (int changes = random.nextInt(6); changes > 0; changes--) {
                text[random.nextInt(text.length)] = (byte) random.nextInt();
            }
            MessageBatch.parse(text)
                    .ifPresent(batch -> assertThat(batch.lines())
                            .allSatisfy(
                                    line -> assertThat(line.text().length).isLessThanOrEqualTo(MessageBatch.MAX_TEXT)));
        }
    }
}
