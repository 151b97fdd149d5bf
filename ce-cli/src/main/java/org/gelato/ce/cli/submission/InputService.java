package org.gelato.ce.cli.submission;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.gelato.ce.cli.http.Checksum;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.http.HttpsPut;
import org.gelato.ce.cli.http.PathText;
import org.gelato.ce.cli.http.Repetition;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.FileTrouble;
import org.gelato.ce.cli.wire.InputFile;

/** Uploads input files over HTTPS, each with its checksum, and resumes where a connection broke. */
public final class InputService {
    private static final int TRIES = 6;

    private final HttpsGet reader;
    private final HttpsPut writer;
    private final Repetition repetition;

    public InputService(HttpsGet reader, HttpsPut writer, Repetition repetition) {
        this.reader = reader;
        this.writer = writer;
        this.repetition = repetition;
    }

    /**
     * Uploads a file.
     *
     * @param directory path of the job's input on the CE, without slash at the end
     * @param settled asked before a file is sent again: whether the job has been started, so that it has all its files, and a program
     *     that may be reading or writing them
     * @param progress receives the number of bytes sent so far
     * @throws CliException when the CE refuses it, or was not reached for too long
     */
    public void upload(String directory, InputFile file, BooleanSupplier settled, LongConsumer progress) {
        String path = directory + "/" + PathText.encode(file.name());
        Source source = measure(file);
        repetition.of(TRIES, attempt -> {
            if (attempt == 1) {
                send(path, file, source, new HttpsGet.Remote(0, false, null, null), progress);
            } else if (!settled.getAsBoolean()) {
                send(path, file, source, present(path), progress);
            }
            return null;
        });
    }

    private HttpsGet.Remote present(String path) {
        return reader.head(path, false).orElse(new HttpsGet.Remote(0, false, null, null));
    }

    private void send(String path, InputFile file, Source source, HttpsGet.Remote present, LongConsumer progress) {
        if (present.complete() && present.size() == source.size()) {
            return; // the response was lost; the CE has checked the checksum
        }
        boolean more = !present.complete() && present.size() > 0 && present.size() <= source.size();
        long from = more ? present.size() : 0;
        writer.put(path, () -> open(file, from), from, source.size(), source.checksum(), progress);
    }

    private static InputStream open(InputFile file, long from) {
        try {
            InputStream in = Files.newInputStream(file.path());
            in.skipNBytes(from);
            return in;
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private record Source(long size, String checksum) {}

    private static Source measure(InputFile file) {
        MessageDigest digest = Checksum.sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file.path()), digest)) {
            long size = in.transferTo(OutputStream.nullOutputStream());
            return new Source(size, Checksum.header(digest.digest()));
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static CliException unreadable(InputFile file, IOException e) {
        return new CliException(file.path() + " can't be read: " + FileTrouble.reason(e), e);
    }
}
