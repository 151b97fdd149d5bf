package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.core.account.AccountCommands.FileVersion;
import org.gelato.ce.core.digest.Sha256;
import org.gelato.ce.ws.http.ResponseSource;

/**
 * Sends files: whole or one byte range (RFC 9110 section 14), with a strong validator for {@code If-Range}. A checksum that is
 * requested ({@code Want-Repr-Digest}, RFC 9530) comes with a GET only where the file is at hand, in one piece; a HEAD
 * reads files up to a gibibyte for it, once for each version.
 */
final class Downloads {
    private static final long MAX_DIGEST = 1L << 30;
    private static final int REMEMBERED = 1000;

    private final SandboxFiles files;
    private final Map<String, byte[]> digests = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
            return size() > REMEMBERED;
        }
    });

    Downloads(SandboxFiles files) {
        this.files = files;
    }

    /** Begins the response to a GET: status, headers, first piece; the source has the rest. */
    ResponseSource send(HttpServletRequest request, HttpServletResponse response, String account, Path file)
            throws IOException {
        FileVersion version = version(account, file);
        headers(response, version);
        Optional<ByteRange> part;
        try {
            part = ByteRange.parse(wantedRange(request, version), version.size());
        } catch (ByteRange.Unsatisfiable e) {
            response.setHeader("Content-Range", "bytes */" + version.size());
            throw new Refusal(
                    HttpServletResponse.SC_REQUESTED_RANGE_NOT_SATISFIABLE,
                    "the file has " + version.size() + " bytes");
        }
        ByteRange range = part.orElse(new ByteRange(0, version.size()));
        // The first piece is read before the response begins, so that a file that cannot be read still gets its own
        // error.
        byte[] begun = files.read(account, file, range.first(), range.length());
        if (part.isPresent()) {
            response.setStatus(HttpServletResponse.SC_PARTIAL_CONTENT);
            response.setHeader(
                    "Content-Range", "bytes " + range.first() + "-" + (range.end() - 1) + "/" + version.size());
        }
        if (Digests.wanted(request)) {
            byte[] known = begun.length == version.size()
                    ? Sha256.begin().digest(begun)
                    : digests.get(key(account, file, version));
            if (known != null) {
                response.setHeader("Repr-Digest", Digests.header(known));
            }
        }
        response.setContentLengthLong(range.length());
        return new Rest(account, file, range, begun);
    }

    /** The pieces of a file. The answer breaks off when it cannot be read on: fewer bytes than announced. */
    private final class Rest implements ResponseSource {
        private final String account;
        private final Path file;
        private final ByteRange range;
        private byte[] begun;
        private long at;

        Rest(String account, Path file, ByteRange range, byte[] begun) {
            this.account = account;
            this.file = file;
            this.range = range;
            this.begun = begun;
            this.at = range.first();
        }

        @Override
        public boolean next(OutputStream out) throws IOException {
            byte[] piece = begun;
            if (piece == null) {
                piece = files.readOn(account, file, at, range.end());
            }
            begun = null;
            out.write(piece);
            at += piece.length;
            return at < range.end();
        }
    }

    /** Answers a HEAD of a file. */
    void describe(HttpServletRequest request, HttpServletResponse response, String account, Path file)
            throws IOException {
        FileVersion version = version(account, file);
        headers(response, version);
        response.setHeader("Upload-Complete", "?1");
        if (Digests.wanted(request) && version.size() <= MAX_DIGEST) {
            response.setHeader("Repr-Digest", Digests.header(digest(account, file, version)));
        }
        response.setContentLengthLong(version.size());
    }

    private byte[] digest(String account, Path file, FileVersion version) throws IOException {
        String key = key(account, file, version);
        byte[] known = digests.get(key);
        if (known == null) {
            known = files.sha256(account, file, version.size());
            if (version.equals(version(account, file))) {
                digests.put(key, known);
            }
        }
        return known;
    }

    private static String key(String account, Path file, FileVersion version) {
        return account + '\0' + file + '\0' + version.version();
    }

    private FileVersion version(String account, Path file) {
        return files.stat(account, file)
                .orElseThrow(() -> new Refusal(HttpServletResponse.SC_NOT_FOUND, "no such file"));
    }

    private static void headers(HttpServletResponse response, FileVersion version) {
        response.setContentType("application/octet-stream");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Accept-Ranges", "bytes");
        response.setHeader("ETag", tag(version));
    }

    private static String tag(FileVersion version) {
        return '"' + version.version() + '"';
    }

    /** The range counts only for the version the client has the rest of. */
    private static String wantedRange(HttpServletRequest request, FileVersion version) {
        String condition = request.getHeader("If-Range");
        return condition == null || condition.strip().equals(tag(version)) ? request.getHeader("Range") : null;
    }
}
