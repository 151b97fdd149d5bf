package org.gelato.ce.ws.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows that a request is of root on this host, or of the CE's account: it has a key from a file that these two alone can read. The
 * server makes the key anew at each start. Thread-safe.
 */
public final class ControlKey {
    /** The header that has the key. */
    public static final String HEADER = "X-Gelato-Control";

    private static final Logger log = LoggerFactory.getLogger(ControlKey.class);
    private static final String FILE = "control.key";
    private static final int BYTES = 32;
    private static final int DIGITS = 2 * BYTES;
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{" + DIGITS + "}");

    private final Path file;
    private volatile boolean reported;

    private ControlKey(Path file) {
        this.file = file;
    }

    /**
     * Makes a key.
     *
     * @param home the CE's directory; is made when it is not there
     * @throws UncheckedIOException when the file cannot be written
     */
    public static ControlKey make(Path home) {
        Path file = home.resolve(FILE);
        Path next = home.resolve(FILE + ".next");
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        try {
            Files.createDirectories(home);
            Files.deleteIfExists(next);
            Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(next, HexFormat.of().formatHex(random));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + Messages.of(e), e);
        }
        return new ControlKey(file);
    }

    /**
     * The key of the CE that runs with this directory.
     *
     * @throws UncheckedIOException when there is none, or this account may not read it, with what to do
     */
    public static String read(Path home) {
        Path file = home.resolve(FILE);
        try {
            return key(file);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    Messages.of(e) + "; run this as root or as the CE's account, while the CE runs on this host", e);
        }
    }

    /** Not of what a link names, and nothing that is no key: root reads it in a directory of the CE's account. */
    private static String key(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(file + " is not a regular file");
        }
        ByteBuffer bytes = ByteBuffer.allocate(DIGITS + 1);
        try (SeekableByteChannel in = Files.newByteChannel(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            while (bytes.hasRemaining() && in.read(bytes) >= 0) {
                // The next part.
            }
        }
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
        if (!FORM.matcher(text).matches()) {
            throw new IOException(file + " has no key");
        }
        return text;
    }

    /**
     * Whether a request has the key. The file is read each time: a second process that starts by mistake with the same directory, and
     * ends, has made another key.
     */
    public boolean isShownBy(HttpServletRequest request) {
        String shown = request.getHeader(HEADER);
        if (shown == null) {
            return false;
        }
        try {
            return MessageDigest.isEqual(
                    shown.getBytes(StandardCharsets.UTF_8), key(file).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            if (!reported) { // anybody can send the header
                reported = true;
                log.warn("'ce server' commands are refused until the CE is started again: {}", Messages.of(e));
            }
            return false;
        }
    }
}
