package org.gelato.ce.cli.output;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.http.Checksum;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;

/**
 * The content of a file as one stream, over as many connections as it takes: when one breaks, the next continues where it
 * stopped, if the file is still the same version. At the end the checksum is compared, where the CE sends one; a reader
 * that has seen the end has the whole file.
 */
public final class ResumingDownload extends InputStream {
    private static final int TRIES = 6;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private final HttpsGet https;
    private final String path;
    private final CliContext.Pause pause;
    private final MessageDigest digest = Checksum.sha256();
    private final HttpsGet.Download first;
    private HttpsGet.Download current;
    private long at;
    private int broken;
    private boolean verified;

    /**
     * Opens the first connection.
     *
     * @throws CliException when the CE refuses
     */
    public ResumingDownload(HttpsGet https, String path, CliContext.Pause pause) {
        this.https = https;
        this.path = path;
        this.pause = pause;
        this.first = https.download(path, 0, null);
        this.current = first;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        while (true) {
            int n = some(buffer, offset, length);
            if (n > 0) {
                digest.update(buffer, offset, n);
                at += n;
                return n;
            }
            if (n == 0 || first.size() < 0 || at == first.size()) {
                verify(n);
                return n;
            }
            goOn(new IOException("the connection ended at byte " + at + " of " + first.size()));
        }
    }

    /** -1 at the end of this connection. */
    private int some(byte[] buffer, int offset, int length) throws IOException {
        try {
            return current.content().read(buffer, offset, length);
        } catch (IOException e) {
            goOn(e);
            return some(buffer, offset, length);
        }
    }

    private void goOn(IOException why) throws IOException {
        current.content().close();
        if (first.size() < 0 || first.tag() == null) {
            throw why; // it is unknown whether the rest would belong to it
        }
        while (true) {
            if (++broken >= TRIES) {
                throw why;
            }
            sleep(FIRST_PAUSE.multipliedBy(1L << (broken - 1)), why);
            try {
                current = https.download(path, at, first.tag());
                break;
            } catch (ConnectionFailure e) {
                why.addSuppressed(e);
            }
        }
        if (!current.partial() && at > 0) {
            throw new CliException("the file changed on the CE while it was fetched; fetch it again");
        }
    }

    private void verify(int n) {
        if (n == 0 || verified) {
            return;
        }
        verified = true;
        String expected = first.checksum();
        if (expected == null && first.tag() != null) {
            Optional<HttpsGet.Remote> now =
                    https.head(path, true).filter(r -> first.tag().equals(r.tag()));
            expected = now.map(HttpsGet.Remote::checksum).orElse(null);
        }
        String found = Checksum.header(digest.digest());
        if (expected != null && expected.contains("sha-256=") && !expected.contains(found)) {
            throw new CliException("the file arrived damaged: its checksum is " + found + ", the CE has " + expected);
        }
    }

    private void sleep(Duration time, IOException why) throws IOException {
        try {
            pause.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw why;
        }
    }

    @Override
    public void close() throws IOException {
        current.content().close();
    }
}
