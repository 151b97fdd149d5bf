package org.gelato.ce.cli.submission;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.OutputFile;

/**
 * Passes the streams of a job on to those of the command, byte by byte and each byte once: live as long as nothing is missing, the rest from
 * the job's files when it has ended. Used by one thread.
 */
final class JobStreams {
    /** A stream of the job. */
    private enum Stream {
        STDOUT("stdout", CommandDescription.STDOUT),
        STDERR("stderr", CommandDescription.STDERR);

        final String kind;
        final String file;

        Stream(String kind, String file) {
            this.kind = kind;
            this.file = file;
        }
    }

    private final Map<Stream, PrintStream> targets = new EnumMap<>(Stream.class);
    private final Map<Stream, Long> printed = new EnumMap<>(Stream.class);
    private boolean whole = true;

    JobStreams(PrintStream out, PrintStream err) {
        targets.put(Stream.STDOUT, out);
        targets.put(Stream.STDERR, err);
    }

    /** Prints a piece, when it follows what was printed before. */
    void live(MessageCalls.Report piece) {
        for (Stream stream : Stream.values()) {
            if (stream.kind.equals(piece.kind())) {
                long end = printed.getOrDefault(stream, 0L);
                int known = (int) Math.min(piece.content().length, Math.max(0, end - piece.number()));
                if (piece.number() <= end) {
                    write(stream, piece.content(), known, piece.content().length - known);
                } else {
                    whole = false;
                }
            }
        }
    }

    /** Whether all that came could be printed at once. */
    boolean isWhole() {
        return whole;
    }

    /** Whether a file of the job is one of its streams. */
    static boolean isStream(String name) {
        return name.equals(CommandDescription.STDOUT) || name.equals(CommandDescription.STDERR);
    }

    /**
     * Prints what is missing of a stream.
     *
     * @throws CliException when it can't be had
     */
    void rest(ComputingElement ce, String job, OutputFile file) {
        for (Stream stream : Stream.values()) {
            if (!stream.file.equals(file.name()) || file.size() <= printed.getOrDefault(stream, 0L)) {
                continue;
            }
            try (InputStream in = ce.output(job, file.name())) {
                in.skipNBytes(printed.getOrDefault(stream, 0L));
                byte[] buffer = new byte[64 * 1024];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    write(stream, buffer, 0, n);
                }
            } catch (IOException e) {
                throw new CliException(
                        "the rest of the job's " + stream.kind + " could not be read: " + e.getMessage(), e);
            }
        }
    }

    private void write(Stream stream, byte[] bytes, int from, int length) {
        PrintStream target = targets.get(stream);
        target.write(bytes, from, length);
        target.flush();
        printed.merge(stream, (long) length, Long::sum);
    }
}
