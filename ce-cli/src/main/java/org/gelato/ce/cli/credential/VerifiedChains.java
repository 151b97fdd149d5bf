package org.gelato.ce.cli.credential;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.gelato.ce.cli.context.UserCache;

/**
 * The chains of CEs that were verified within the last hour against the authorities as they still are. To verify one takes a third of the
 * processor time of a short command, nearly all of it to load the library for it.
 *
 * <p>A digest stands for a chain and all files of the directory of authorities: path, size, inode, times of change. What
 * changes any of them, such as a new CRL, makes the chain unknown. What changes by time alone, the end of a CRL or of an authority, is seen an
 * hour late at most. The file is read only if it is this user's and no other may write to it: who can change it could as well change the
 * archive of classes beside it.
 */
final class VerifiedChains {
    static final Duration KEPT = Duration.ofHours(1);
    private static final int MAX = 64;
    private static final int FILE_KIND = 0170000;
    private static final int REGULAR = 0100000;
    private static final int OTHERS_WRITE = 022;

    private final Optional<UserCache> cache;
    private final Clock clock;

    VerifiedChains(Map<String, String> environment, Clock clock) {
        this.cache = UserCache.of(environment, "verified-chains");
        this.clock = clock;
    }

    /** By the clock that says how long a verification holds. */
    Instant now() {
        return clock.instant();
    }

    /**
     * What stands for a chain now.
     *
     * @param authorities the directory
     * @return empty when nothing can be remembered of it
     */
    Optional<String> digest(Path authorities, X509Certificate[] chain) {
        if (cache.isEmpty()) {
            return Optional.empty();
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (X509Certificate certificate : chain) {
                digest.update(certificate.getEncoded());
            }
            Path directory = authorities.toRealPath();
            add(digest, directory, "");
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                Map<String, Path> inOrder = new TreeMap<>();
                files.forEach(file -> inOrder.put(file.toString(), file));
                for (Path file : inOrder.values()) {
                    add(digest, file, file.toString());
                }
            }
            return Optional.of(HexFormat.of().formatHex(digest.digest()));
        } catch (IOException
                | DirectoryIteratorException
                | CertificateEncodingException
                | UnsupportedOperationException e) {
            return Optional.empty();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static void add(MessageDigest digest, Path file, String name) throws IOException {
        String state;
        try {
            state = new TreeMap<>(Files.readAttributes(file, "unix:size,ino,dev,ctime,lastModifiedTime")).toString();
        } catch (NoSuchFileException e) {
            state = "a link to nothing";
        }
        digest.update((name + "\0" + state + "\n").getBytes(StandardCharsets.UTF_8));
    }

    boolean contains(String digest) {
        return isOurs() && entries().contains(digest);
    }

    /** Remembers a chain that was verified just now, by the digest from before. */
    void add(String digest) {
        List<String> lines = new ArrayList<>();
        lines.add(digest + " " + clock.instant().getEpochSecond());
        if (isOurs()) {
            cache.orElseThrow().lines().stream().limit(MAX - 1L).forEach(lines::add);
        }
        cache.orElseThrow().write(lines);
    }

    private List<String> entries() {
        Instant now = clock.instant();
        List<String> valid = new ArrayList<>();
        for (String line : cache.orElseThrow().lines()) {
            String[] words = line.split(" ", -1);
            if (words.length == 2 && words[1].matches("[0-9]{1,12}")) {
                Instant verified = Instant.ofEpochSecond(Long.parseLong(words[1]));
                if (!verified.isAfter(now) && now.isBefore(verified.plus(KEPT))) {
                    valid.add(words[0]);
                }
            }
        }
        return valid;
    }

    private boolean isOurs() {
        try {
            Map<String, Object> file =
                    Files.readAttributes(cache.orElseThrow().file(), "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
            int mode = (Integer) file.get("mode");
            return file.get("uid").equals(UserProxy.uid())
                    && (mode & FILE_KIND) == REGULAR
                    && (mode & OTHERS_WRITE) == 0;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
