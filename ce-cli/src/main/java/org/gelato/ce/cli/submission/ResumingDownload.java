package org.gelato.ce.cli.submission;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.http.Checksum;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;

/**
 * The content of a file as one stream, over as many connections as it takes: when one breaks, the next continues where it
 * stopped, if the file is still the same version. At the end the checksum is compared, where the CE sends one; a reader
 * that has seen the end has the whole file, also where the checksum was not to be had: that is said.
 */
public final class ResumingDownload extends InputStream {
    private static final int TRIES = 6;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private final HttpsGet https;
    private final String path;
    private final CliContext.Pause pause;
    private final Consumer<String> notice;
    private final MessageDigest digest = Checksum.sha256();
    private final HttpsGet.Download first;
    private HttpsGet.Download current;
    private long at;
    private int broken;
    private boolean verified;

    /**
     * Opens the first connection.
     *
     * @param path percent-encoded, starts with a slash
     * @param notice receives what the user should know of a file that is whole
     * @throws CliException when the CE refuses
     */
    public ResumingDownload(HttpsGet https, String path, CliContext.Pause pause, Consumer<String> notice) {
        this.https = https;
        this.path = path;
        this.pause = pause;
        this.notice = notice;
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
            resume(new IOException("the connection ended at byte " + at + " of " + first.size()));
        }
    }

    /** -1 at the end of this connection. */
    private int some(byte[] buffer, int offset, int length) throws IOException {
        try {
            return current.content().read(buffer, offset, length);
        } catch (IOException e) {
            resume(e);
            return some(buffer, offset, length);
        }
    }

    private void resume(IOException why) throws IOException {
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
        byte[] sum = digest.digest();
        String expected = first.checksum();
        if (expected == null && first.tag() != null) {
            expected = later(sum);
        }
        String found = Checksum.header(sum);
        if (expected != null && expected.contains("sha-256=") && !expected.contains(found)) {
            throw new CliException("the file arrived damaged: its checksum is " + found + ", the CE has " + expected);
        }
    }

    /** The checksum that the CE has by now; null where it is not to be had. All of the file is here, and fetching it again may end the same. */
    private String later(byte[] sum) {
        try {
            return https.head(path, true)
                    .filter(now -> first.tag().equals(now.tag()))
                    .map(HttpsGet.Remote::checksum)
                    .orElse(null);
        } catch (CliException e) {
            notice.accept(URLDecoder.decode(path.substring(path.lastIndexOf('/') + 1), StandardCharsets.UTF_8)
                    + " is whole but was not verified, as its checksum was not to be had: " + e.getMessage()
                    + "; its SHA-256 is " + HexFormat.of().formatHex(sum)
                    + ", and ce output with a longer --timeout and another -d verifies it");
            return null;
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
