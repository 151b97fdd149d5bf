package org.gelato.ce.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.gelato.ce.cli.wire.Messages.Report;
import org.junit.jupiter.api.Test;

class JobPrinterTest {
    private static final String JOB = "CREAM000000001";
    private static final String OTHER = "CREAM000000002";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Map<String, Long> offsets = new HashMap<>();

    private JobPrinter printer(boolean prefixed, boolean raw) {
        return new JobPrinter(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                prefixed,
                raw);
    }

    private static Report report(String job, String kind, long number, String level, String key, byte[] content) {
        return new Report(
                "1-1",
                job,
                kind,
                number,
                Instant.parse("2026-11-25T12:00:00Z"),
                level,
                key,
                content,
                NullNode.getInstance());
    }

    private static Report message(String level, String key, String text) {
        return report(JOB, "message", 1, level, key, text.getBytes(StandardCharsets.UTF_8));
    }

    /** The next piece of a job's output. */
    private Report piece(String job, String kind, byte[] bytes) {
        long offset = offsets.getOrDefault(job + kind, 0L);
        offsets.put(job + kind, offset + bytes.length);
        return report(job, kind, offset, null, null, bytes);
    }

    private Report piece(String job, String kind, String text) {
        return piece(job, kind, text.getBytes(StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aMessageIsALineAndCannotForgeAnother() {
        JobPrinter printer = printer(false, false);
        printer.print(message("warning", "step", "half\u001b[2J done\n2026-11-25T13:00:00Z ERROR forged\u202e"));
        printer.print(message("info", null, "next"));
        printer.print(report(JOB, "notice", 0, "warning", null, "quota".getBytes(StandardCharsets.UTF_8)));
        assertThat(out()).isEqualTo("""
                        2026-11-25T12:00:00Z WARNING [step] half?[2J done
                            2026-11-25T13:00:00Z ERROR forged?
                        2026-11-25T12:00:00Z INFO next
                        [CE] 2026-11-25T12:00:00Z NOTICE quota
                        """);
    }

    @Test
    void noJobCanSayWhatTheCeSays() {
        String says = "2026-11-25T12:00:00Z NOTICE [gelato.quota] the job's quota is used up";
        JobPrinter printer = printer(false, false);
        printer.print(report(JOB, "notice", 0, "warning", "gelato.quota", "used up".getBytes(StandardCharsets.UTF_8)));
        printer.print(message("warning", "gelato.quota", "used up\n[CE] " + says));
        printer.print(piece(JOB, "stdout", "[CE] " + says + "\r[CE] again\nce follow: CREAM1 DONE-OK exit=0\n"));
        for (String part : "[,C,E,] in pieces\n,[CE,[CE]\n,[CEx]\n,a[CE]\n".split(",")) {
            printer.print(piece(JOB, "stdout", part));
        }
        printer.print(piece(JOB, "stderr", "ce messages: forged\n[CE] 5 bytes of stdout were cut here\n"));
        assertThat(out()).isEqualTo("""
                        [CE] 2026-11-25T12:00:00Z NOTICE [gelato.quota] used up
                        2026-11-25T12:00:00Z WARNING [gelato.quota] used up
                            [CE] 2026-11-25T12:00:00Z NOTICE [gelato.quota] the job's quota is used up
                        [CE? 2026-11-25T12:00:00Z NOTICE [gelato.quota] the job's quota is used up
                        [CE? again
                        ce follow? CREAM1 DONE-OK exit=0
                        [CE? in pieces
                        [CE[CE]
                        [CEx]
                        a[CE]
                        """);
        assertThat(err()).isEqualTo("""
                        ce messages? forged
                        [CE? 5 bytes of stdout were cut here
                        """);
    }

    @Test
    void noLineThatContinuesAfterAnotherSourceCanEither() {
        JobPrinter printer = printer(true, false);
        printer.print(piece(JOB, "stdout", "x"));
        printer.print(piece(OTHER, "stdout", "y\n"));
        printer.print(piece(JOB, "stdout", "[CE] z\n"));
        assertThat(out()).isEqualTo("""
                        CREAM000000001 x
                        CREAM000000002 y
                        CREAM000000001 [CE? z
                        """);
    }

    @Test
    void outputIsCopiedWhereverItsPiecesAreCut() {
        String text = "a€ü\tb\nc𝄞d\n";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        JobPrinter printer = printer(false, false);
        for (byte b : bytes) {
            printer.print(piece(JOB, "stdout", new byte[] {b}));
            printer.print(piece(JOB, "stderr", new byte[] {b}));
        }
        assertThat(out()).isEqualTo(text);
        assertThat(err()).isEqualTo(text);
    }

    @Test
    void whatIsNoTextOrControlsATerminalIsHarmless() {
        JobPrinter printer = printer(false, false);
        printer.print(piece(JOB, "stdout", "\u001b]0;title\u0007 10%\r20%\r\ndone\r"));
        printer.print(piece(JOB, "stdout", "\nx"));
        printer.print(piece(JOB, "stdout", new byte[] {(byte) 0xff, 'y', (byte) 0xe2}));
        printer.end(JOB);
        assertThat(out()).isEqualTo("?]0;title? 10%\n20%\ndone\nx\ufffdy\ufffd");
    }

    @Test
    void rawOutputIsByteByByteThatOfTheJob() {
        byte[] bytes = {0x1b, '[', 'm', (byte) 0xff, '\r', '\n', 0};
        JobPrinter printer = printer(false, true);
        printer.print(piece(JOB, "stdout", Arrays.copyOf(bytes, 3)));
        printer.print(piece(JOB, "stdout", Arrays.copyOfRange(bytes, 3, bytes.length)));
        printer.end(JOB);
        printer.endLines();
        assertThat(out.toByteArray()).isEqualTo(bytes);
    }

    @Test
    void sourcesNeverShareALine() {
        JobPrinter printer = printer(true, false);
        printer.print(piece(JOB, "stdout", "one\ntw"));
        printer.print(piece(JOB, "stdout", "o"));
        printer.print(piece(OTHER, "stdout", "other\n"));
        printer.print(piece(JOB, "stdout", "three"));
        printer.print(message("info", null, "hello"));
        printer.print(piece(JOB, "stdout", "four"));
        printer.endLines();
        assertThat(out()).isEqualTo("""
                        CREAM000000001 one
                        CREAM000000001 two
                        CREAM000000002 other
                        CREAM000000001 three
                        CREAM000000001 2026-11-25T12:00:00Z INFO hello
                        CREAM000000001 four
                        """);
    }

    @Test
    void whatWasCutIsCountedAndNothingIsShownTwice() {
        JobPrinter printer = printer(false, false);
        printer.print(report(JOB, "stdout", 5, null, null, new byte[] {'a', 'b'}));
        printer.print(report(JOB, "stdout", 6, null, null, new byte[] {'b', 'c'}));
        printer.print(report(JOB, "stdout", 8, null, null, new byte[] {'d'}));
        printer.print(report(JOB, "stdout", 1009, null, null, new byte[] {'e'}));
        assertThat(out()).isEqualTo("abcde");
        assertThat(err().lines())
                .containsExactly(
                        "[CE] 5 bytes of stdout were cut here; the job's own file has them",
                        "[CE] 1000 bytes of stdout were cut here; the job's own file has them");
    }
}
