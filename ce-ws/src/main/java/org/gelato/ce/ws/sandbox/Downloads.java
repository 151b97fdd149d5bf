package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import org.gelato.ce.core.account.AccountCommands.FileVersion;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.ResponseSource;
import org.gelato.ce.ws.sandbox.SandboxServlet.Transfer;
import org.gelato.ce.ws.web.Refusal;

/**
 * Sends files: whole or one byte range (RFC 9110 section 14), with a strong validator for {@code If-Range}. A checksum that is
 * requested ({@code Want-Repr-Digest}, RFC 9530) comes with a GET where it is known, or the file is one piece; a HEAD waits for it, without
 * a thread, and is answered without it when that takes too long.
 */
final class Downloads {
    /** How long a HEAD waits for a checksum: clients give up after half a minute. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SandboxFiles files;
    private final FileSums sums;

    Downloads(SandboxFiles files, FileSums sums) {
        this.files = files;
        this.sums = sums;
    }

    /** Begins the response to a GET: status, headers, first piece; the source has the rest, and is null where there is none. */
    ResponseSource send(HttpServletRequest request, HttpServletResponse response, String account, Path file)
            throws IOException {
        FileVersion version = version(account, file);
        headers(response, version);
        if (isKnown(request, response, version)) {
            return null;
        }
        Optional<ByteRange> part;
        try {
            part = ByteRange.parse(wantedRange(request, version), version.size());
        } catch (ByteRange.Unsatisfiable e) {
            response.setHeader("Content-Range", "bytes */" + version.size());
            throw new Refusal(416, "the file has " + version.size() + " bytes");
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
        MessageDigest seen = null;
        if (Digests.wanted(request)) {
            Optional<byte[]> known =
                    begun.length == version.size() ? Optional.of(Sha256.of(begun)) : sums.known(account, file, version);
            known.ifPresent(sum -> response.setHeader("Repr-Digest", Digests.header(sum)));
            if (known.isEmpty() && range.length() == version.size()) {
                seen = Sha256.begin();
            }
        }
        response.setContentLengthLong(range.length());
        return new Rest(account, file, version, range, begun, seen);
    }

    /** The pieces of a file. The answer breaks off when it cannot be read on: fewer bytes than announced. */
    private final class Rest implements ResponseSource {
        private final String account;
        private final Path file;
        private final FileVersion version;
        private final ByteRange range;
        private final MessageDigest seen;
        private byte[] begun;
        private long at;

        /** @param seen of the whole file, whose checksum is learned on the way; null for none */
        Rest(String account, Path file, FileVersion version, ByteRange range, byte[] begun, MessageDigest seen) {
            this.account = account;
            this.file = file;
            this.version = version;
            this.range = range;
            this.begun = begun;
            this.seen = seen;
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
            if (seen != null) {
                seen.update(piece);
                if (at == range.end()) {
                    // A file that changed meanwhile has another version, which nobody has learned of.
                    sums.learn(account, file, version, seen);
                }
            }
            return at < range.end();
        }
    }

    /**
     * Answers a HEAD of a file.
     *
     * @param place is held while the request waits
     * @return false when the request waits for the checksum, and comes again
     */
    boolean describe(Transfer transfer, String account, Path file) {
        HttpServletRequest request = transfer.request();
        HttpServletResponse response = transfer.response();
        FileVersion version = version(account, file);
        if (isKnown(request, response, version)) {
            headers(response, version);
            return true;
        }
        if (Digests.wanted(request)) {
            Optional<byte[]> known = sums.known(account, file, version);
            if (known.isEmpty() && waits(transfer, account, file, version)) {
                return false;
            }
            known.or(() -> sums.known(account, file, version))
                    .ifPresent(sum -> response.setHeader("Repr-Digest", Digests.header(sum)));
        }
        headers(response, version);
        response.setHeader("Upload-Complete", "?1");
        response.setContentLengthLong(version.size());
        return true;
    }

    private boolean waits(Transfer transfer, String account, Path file, FileVersion version) {
        FileSums.Asker asker = sums.ask(account, file, version);
        transfer.place().holds(asker::close);
        return Exchange.of(transfer.request()).await(asker.found(), PATIENCE, transfer.place()::leave);
    }

    private FileVersion version(String account, Path file) {
        return files.stat(account, file).orElseThrow(() -> new Refusal(404, "no such file"));
    }

    private static void headers(HttpServletResponse response, FileVersion version) {
        response.setContentType("application/octet-stream");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Accept-Ranges", "bytes");
        response.setHeader("ETag", Preconditions.tag(version));
        modified(response, version.modified());
    }

    /** Says when a file was changed, where HTTP has a form for it: the job's account may set any time. */
    static void modified(HttpServletResponse response, long seconds) {
        if (FolderProperties.isDate(seconds)) {
            response.setDateHeader("Last-Modified", Duration.ofSeconds(seconds).toMillis());
        }
    }

    private static boolean isKnown(HttpServletRequest request, HttpServletResponse response, FileVersion version) {
        boolean known = Preconditions.of(request).isKnown(version);
        if (known) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
        }
        return known;
    }

    /** The range counts only for the version the client has the rest of. */
    private static String wantedRange(HttpServletRequest request, FileVersion version) {
        String condition = request.getHeader("If-Range");
        return condition == null || condition.strip().equals(Preconditions.tag(version))
                ? request.getHeader("Range")
                : null;
    }
}
