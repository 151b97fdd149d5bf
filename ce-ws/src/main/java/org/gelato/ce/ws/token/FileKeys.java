package org.gelato.ce.ws.token;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.credential.TrustedFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keys from a file, read again when it has changed. Of a file that can't be read what was read last counts. */
final class FileKeys implements IssuerKeys {
    private static final Logger log = LoggerFactory.getLogger(FileKeys.class);
    private static final int MAX_BYTES = 256 * 1024;

    private final String issuer;
    private final Path file;
    private final Clock clock;
    private final AtomicLong failures = new AtomicLong();
    private List<Object> stamp;
    private volatile KeySet present;
    private volatile Instant read;
    private volatile String problem;

    FileKeys(String issuer, Path file, Clock clock) {
        this.issuer = issuer;
        this.file = file;
        this.clock = clock;
        tick();
    }

    @Override
    public KeySet keysFor(String keyId) throws TokenRefusal {
        KeySet keys = present;
        if (keys == null) {
            throw new TokenRefusal(
                    TokenRefusal.Kind.KEYS_UNAVAILABLE, "iss", "the file with the issuer's keys can't be read here");
        }
        return keys;
    }

    /** The file is looked at every few seconds. */
    @Override
    public KeySet newerThan(KeySet tried) {
        return tried;
    }

    @Override
    public KeySet present() {
        return present;
    }

    @Override
    public synchronized void tick() {
        try {
            TrustedFile.check(file);
            BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
            List<Object> now = List.of(a.lastModifiedTime(), a.size(), String.valueOf(a.fileKey()));
            if (!now.equals(stamp)) {
                take(now);
            } else if (problem == null) {
                read = clock.instant();
            }
        } catch (IOException e) {
            // Not of what is in it: it may be as before when it can be read again.
            stamp = null;
            fail(e);
        } catch (IllegalArgumentException e) {
            fail(e);
        }
    }

    private void take(List<Object> version) throws IOException {
        KeySet fresh;
        try {
            fresh = KeySet.parse(read(file), issuer);
        } catch (IllegalArgumentException | StackOverflowError e) { // of what is in it, which stays so
            stamp = version;
            throw e instanceof IllegalArgumentException wrong ? wrong : new IllegalArgumentException(Messages.of(e), e);
        }
        stamp = version;
        if (!fresh.equals(present)) {
            present = fresh;
            log.info("{} keys of {} read from {}", fresh.keys().size(), issuer, file);
        }
        read = clock.instant();
        problem = null;
    }

    /**
     * The text of a file of keys.
     *
     * @throws IOException when it can't be read, or is not the site's alone to write
     * @throws IllegalArgumentException when it is too long
     */
    static byte[] read(Path file) throws IOException {
        TrustedFile.check(file);
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("it is longer than " + MAX_BYTES + " bytes");
        }
        return bytes;
    }

    private void fail(Exception e) {
        String why = file + ": " + Messages.of(e);
        if (!why.equals(problem)) {
            failures.incrementAndGet();
            log.error(
                    "the keys of {} can't be read, {}: {}",
                    issuer,
                    present == null ? "none of its tokens is accepted" : "what was read last counts",
                    why);
        }
        problem = why;
    }

    @Override
    public Optional<Duration> age() {
        return Optional.ofNullable(read).map(r -> Duration.between(r, clock.instant()));
    }

    @Override
    public long failures() {
        return failures.get();
    }

    @Override
    public String problem() {
        return problem;
    }
}
