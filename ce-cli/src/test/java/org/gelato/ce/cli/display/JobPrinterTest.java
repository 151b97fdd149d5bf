package org.gelato.ce.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.gelato.ce.cli.wire.MessageCalls.Report;
import org.junit.jupiter.api.Test;

class JobPrinterTest {
    private static final String JOB = "CREAM000000001";
    private static final String OTHER = "CREAM000000002";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Map<String, Long> offsets = new HashMap<>();
    private boolean terminal;

    private JobPrinter printer(boolean prefixed, boolean raw) {
        return new JobPrinter(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                prefixed,
                raw,
                terminal);
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
        // Cyrillic, wide and invisible characters, a line separator, a tag.
        printer.print(piece(
                JOB, "stdout", "[\u0421\u0415] a\n\uff3bCE\uff3d b\n[\ufe0fCE] c\nd\u2028[CE] d\ne\udb40\udc01\n"));
        printer.print(piece(JOB, "stderr", "ce follow: forged\n[CE] 5 bytes of stdout were cut here\n"));
        assertThat(out()).isEqualTo("""
                        [CE] 2026-11-25T12:00:00Z NOTICE [gelato.quota] used up
                        2026-11-25T12:00:00Z WARNING [gelato.quota] used up
                            [CE] 2026-11-25T12:00:00Z NOTICE [gelato.quota] the job's quota is used up
                        | [CE] 2026-11-25T12:00:00Z NOTICE [gelato.quota] the job's quota is used up
                        | [CE] again
                        | ce follow: CREAM1 DONE-OK exit=0
                        | [\u0421\u0415] a
                        | \uff3bCE\uff3d b
                        | [\ufe0fCE] c
                        | d?[CE] d
                        | e?
                        """);
        assertThat(err()).isEqualTo("""
                        | ce follow: forged
                        | [CE] 5 bytes of stdout were cut here
                        """);
    }

    /** Both streams in one place, as on a terminal. */
    private JobPrinter shared(boolean prefixed) {
        PrintStream screen = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream same = new PrintStream(out, true, StandardCharsets.UTF_8);
        return new JobPrinter(screen, same, prefixed, false, terminal);
    }

    @Test
    void bothStreamsTogetherForgeNoLineEither() {
        JobPrinter printer = shared(false);
        printer.print(piece(JOB, "stdout", "[C"));
        printer.print(piece(JOB, "stderr", "E] forged\n"));
        printer.print(piece(JOB, "stdout", "open"));
        printer.print(report(JOB, "stderr", 100, null, null, new byte[] {'x'}));
        printer.print(piece(JOB, "stdout", "open"));
        printer.endLines();
        assertThat(out()).isEqualTo("""
                        | [C
                        | E] forged
                        | open
                        [CE] 90 bytes of stderr were cut here; the job's own file has them
                        | x
                        | open
                        """);
    }

    @Test
    void onATerminalTheMarkTakesWhatNoJobCanPrint() {
        terminal = true;
        JobPrinter printer = shared(true);
        printer.print(report(JOB, "notice", 0, "warning", null, "quota".getBytes(StandardCharsets.UTF_8)));
        printer.print(message("info", null, "\u001b[7m[CE]\u001b[0m a"));
        // As many characters as a line of the terminal has, and what then stands at its edge.
        printer.print(piece(JOB, "stdout", " ".repeat(80) + "\u001b[7m[CE]\u001b[0m a\n"));
        assertThat(out().lines().filter(l -> l.contains("\u001b")))
                .containsExactly(JOB + " \u001b[7m[CE]\u001b[0m 2026-11-25T12:00:00Z NOTICE quota");
    }

    @Test
    void outputIsCopiedWhereverItsPiecesAreCut() {
        String text = "a€ü\tb\nc𝄞d\n";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        JobPrinter printer = printer(false, false);
        for (byte b : bytes) {
            printer.print(piece(JOB, "stdout", new byte[] {b}));
        }
        assertThat(out()).isEqualTo("| a€ü\tb\n| c𝄞d\n");
    }

    @Test
    void whatIsNoTextOrControlsATerminalIsHarmless() {
        JobPrinter printer = printer(false, false);
        printer.print(piece(JOB, "stdout", "\u001b]0;title\u0007 10%\r20%\r\ndone\r"));
        printer.print(piece(JOB, "stdout", "\nx"));
        printer.print(piece(JOB, "stdout", new byte[] {(byte) 0xff, 'y', (byte) 0xe2}));
        printer.end(JOB);
        assertThat(out()).isEqualTo("| ?]0;title? 10%\n| 20%\n| done\n| x\ufffdy\ufffd");
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
                        CREAM000000001 | one
                        CREAM000000001 | two
                        CREAM000000002 | other
                        CREAM000000001 | three
                        CREAM000000001 2026-11-25T12:00:00Z INFO hello
                        CREAM000000001 | four
                        """);
    }

    @Test
    void whatWasCutIsCountedAndNothingIsShownTwice() {
        JobPrinter printer = printer(false, false);
        printer.print(report(JOB, "stdout", 5, null, null, new byte[] {'a', 'b'}));
        printer.print(report(JOB, "stdout", 6, null, null, new byte[] {'b', 'c'}));
        printer.print(report(JOB, "stdout", 8, null, null, new byte[] {'d'}));
        printer.print(report(JOB, "stdout", 1009, null, null, new byte[] {'e'}));
        assertThat(out()).isEqualTo("| abcd\n| e");
        assertThat(err().lines())
                .containsExactly(
                        "[CE] 5 bytes of stdout were cut here; the job's own file has them",
                        "[CE] 1000 bytes of stdout were cut here; the job's own file has them");
    }
}
