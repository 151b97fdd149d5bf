package org.gelato.ce.cli.display;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.MessageCalls;

/**
 * Prints what jobs send: their output to the stream of the same name, messages to standard output. Unless output is wanted raw, each line
 * of output begins with {@code | }, and lines of the CE and of the command never do: no letters, however alike, let a job say what the CE
 * says. On a terminal long lines are continued at its left edge, so the CE's mark is shown reversed there, which takes control characters,
 * and none of a job reaches the terminal. What comes from different sources never shares a line, on whichever stream. Used by one thread.
 */
final class JobPrinter {
    private static final byte[] LINE_END = {'\n'};
    /** How lines of output begin. */
    private static final String OUTPUT = "| ";
    /** How lines begin that the CE says. */
    private static final String CE = "[CE]";

    private final PrintStream out;
    private final PrintStream err;
    private final boolean prefixed;
    private final boolean raw;
    private final String ce;
    private final Map<String, Source> sources = new HashMap<>();
    /** By stream: whose last line there has no end yet. At most one of them, unless raw. */
    private final Map<PrintStream, Source> open = new LinkedHashMap<>();

    /**
     * @param prefixed whether each line begins with its job's id
     * @param raw whether bytes of output are printed as they are
     * @param terminal whether the lines are shown on a terminal
     */
    JobPrinter(PrintStream out, PrintStream err, boolean prefixed, boolean raw, boolean terminal) {
        this.out = out;
        this.err = err;
        this.prefixed = prefixed;
        this.raw = raw;
        this.ce = (terminal ? "\u001b[7m" + CE + "\u001b[0m" : CE) + " ";
    }

    /** One stream of one job. */
    private static final class Source {
        final String prefix;
        final CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        /** Bytes of a character that is not whole yet. */
        byte[] rest = {};
        /** Offset after what was printed. */
        long end;

        boolean returned;

        Source(String prefix) {
            this.prefix = prefix;
        }
    }

    void print(MessageCalls.Report report) {
        if (report.isOutput()) {
            output(report);
        } else {
            message(report);
        }
    }

    private void message(MessageCalls.Report report) {
        boolean notice = report.kind().equals("notice");
        String level = notice ? "NOTICE" : String.valueOf(report.level());
        StringBuilder line = new StringBuilder();
        line.append(notice ? ce : "")
                .append(report.sent())
                .append(' ')
                .append(Printable.line(level).toUpperCase(Locale.ROOT))
                .append(' ');
        if (report.key() != null) {
            line.append('[').append(Printable.line(report.key())).append("] ");
        }
        // Further lines of a message cannot be taken for others.
        line.append(Printable.block(new String(report.content(), StandardCharsets.UTF_8))
                .stripTrailing()
                .replace("\n", "\n    "));
        line(out, prefix(report.localId()), line.toString());
    }

    private void output(MessageCalls.Report report) {
        PrintStream to = report.kind().equals("stderr") ? err : out;
        Source source = sources.computeIfAbsent(
                report.kind() + report.localId(),
                name -> new Source(raw ? prefix(report.localId()) : prefix(report.localId()) + OUTPUT));
        byte[] bytes = report.content();
        if (report.number() > source.end) {
            line(
                    err,
                    prefix(report.localId()),
                    ce + (report.number() - source.end) + " bytes of " + report.kind()
                            + " were cut here; the job's own file has them");
            source.rest = new byte[0];
        } else if (report.number() < source.end) {
            int known = (int) Math.min(bytes.length, source.end - report.number());
            bytes = Arrays.copyOfRange(bytes, known, bytes.length);
        }
        source.end = Math.max(source.end, report.number() + report.content().length);
        write(to, source, raw ? bytes : harmless(source, bytes, false));
    }

    /** The text with its line ends, without other control characters. */
    private static byte[] harmless(Source source, byte[] bytes, boolean last) {
        ByteBuffer in = ByteBuffer.allocate(source.rest.length + bytes.length);
        in.put(source.rest).put(bytes).flip();
        CharBuffer text = CharBuffer.allocate(in.remaining() + 1);
        source.decoder.reset();
        source.decoder.decode(in, text, last);
        source.rest = new byte[in.remaining()];
        in.get(source.rest);
        text.flip();
        StringBuilder lines = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // A line that is written over and over becomes lines.
            if (c == '\r' || (c == '\n' && !source.returned)) {
                lines.append('\n');
            } else if (c != '\n') {
                lines.append(c);
            }
            source.returned = c == '\r';
        }
        return Printable.block(lines.toString()).getBytes(StandardCharsets.UTF_8);
    }

    private void write(PrintStream to, Source source, byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        boolean inLine = open.get(to) == source;
        if (!inLine) {
            endLine(to);
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream(bytes.length + 64);
        byte[] prefix = source.prefix.getBytes(StandardCharsets.UTF_8);
        for (byte b : bytes) {
            if (!inLine) {
                text.writeBytes(prefix);
            }
            text.write(b);
            inLine = b != '\n';
        }
        to.write(text.toByteArray(), 0, text.size());
        to.flush();
        if (inLine) {
            open.put(to, source);
        } else {
            open.remove(to);
        }
    }

    private void line(PrintStream to, String prefix, String text) {
        endLine(to);
        to.println(prefix + text);
    }

    /**
     * Ends the line that is open, whichever stream it is on: both may be shown in one place. Raw output on the other stream gets no
     * byte that the job has not written.
     */
    private void endLine(PrintStream before) {
        for (PrintStream stream : raw ? List.of(before) : List.copyOf(open.keySet())) {
            if (open.remove(stream) != null) {
                stream.write(LINE_END, 0, LINE_END.length);
                stream.flush();
            }
        }
    }

    private String prefix(String job) {
        return prefixed ? job + " " : "";
    }

    /** Prints what is left of a job's last lines. */
    void end(String job) {
        for (String kind : new String[] {"stdout", "stderr"}) {
            Source source = sources.remove(kind + job);
            if (source != null && !raw) {
                write(kind.equals("stderr") ? err : out, source, harmless(source, new byte[0], true));
            }
        }
    }

    /** Ends lines that jobs left open, so that what others print to standard error begins a new one. */
    void endLines() {
        endLine(err);
    }
}
