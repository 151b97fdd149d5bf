package org.gelato.ce.ws.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.core.account.AccountCommands.FileVersion;
import org.gelato.ce.core.account.AccountCommands.Tree;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.core.account.DiskFullException;
import org.gelato.ce.core.account.OtherSizeException;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.description.FilePath;
import org.gelato.ce.ws.web.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes files in. Bytes are gathered to pieces and each is added to a part beside the files; a part that has all its bytes and
 * the right checksum becomes the file. When the client goes, the part stays for it to go on with, and so it does when the CE
 * goes. While a client is waited for, neither helper, database nor thread is in use. Called on request threads.
 */
final class Uploads {
    private static final Logger log = LoggerFactory.getLogger(Uploads.class);

    private final SandboxFiles files;
    private final FileSums sums;
    private final UploadLedger ledger;
    private final int maxFiles;

    Uploads(SandboxFiles files, FileSums sums, UploadBudget budget, int maxFiles) {
        this.files = files;
        this.ledger = new UploadLedger(budget);
        this.sums = sums;
        this.maxFiles = maxFiles;
    }

    /**
     * One file to take in.
     *
     * @param maxBytes of the whole side
     * @param stillOpen throws when uploads have ended meanwhile; called before anything is removed for the file, and before it
     *     gets its name
     */
    record Upload(SandboxSide side, String name, UploadPart part, Digests digests, long maxBytes, Runnable stillOpen) {}

    /** How many bytes are there, as a part or whole. */
    record Present(long size, boolean complete) {}

    /**
     * Begins to take the bytes of one request.
     *
     * @throws Refusal when the request does not fit what is there, the quota or its own announcements
     */
    Receipt begin(Upload upload) {
        SandboxSide side = upload.side();
        UploadLedger.Entry entry = ledger.open(side, upload.name(), () -> usage(side), upload.maxBytes(), maxFiles);
        try {
            // The writer before may have brought the last file that the job waited for.
            upload.stillOpen().run();
            makeWay(side, upload.name());
            return new Receipt(upload, entry, offset(upload, entry));
        } catch (RuntimeException e) {
            entry.close();
            throw e;
        }
    }

    /**
     * Sees that folders and files have no name in common. What broke off is in nobody's way: no other writer is in these
     * folders, as the ledger has it.
     */
    private void makeWay(SandboxSide side, String name) {
        for (String folder : UploadLedger.folders(name)) {
            if (files.isFile(side.account(), side.file(folder))) {
                throw new Refusal(409, "a file has the name of the folder " + folder);
            }
            if (files.isFile(side.account(), side.part(folder))) {
                files.discard(side.account(), side.part(folder));
            }
        }
        if (files.directory(side.account(), side.file(name), 1).isPresent()) {
            throw new Refusal(409, "a folder has this name");
        }
        if (files.directory(side.account(), side.part(name), 1).isPresent()) {
            files.removeTree(side.account(), side.part(name));
        }
    }

    /** What a client that resumes should know. */
    Present present(SandboxSide side, String name) {
        return files.stat(side.account(), side.part(name))
                .map(part -> new Present(part.size(), false))
                .orElseGet(() -> new Present(size(side, name), true));
    }

    /**
     * Removes a file and what may have come of it, or a folder with all that lies in it.
     *
     * @param stillOpen throws when the files may not be changed any more
     */
    void remove(SandboxSide side, String name, Runnable stillOpen) {
        try (UploadLedger.Entry entry = ledger.open(side, name, () -> usage(side), Long.MAX_VALUE, Integer.MAX_VALUE)) {
            stillOpen.run();
            if (files.directory(side.account(), side.file(name), 1).isPresent()) {
                long bytes = 0;
                for (Path folder : List.of(side.part(name), side.file(name))) {
                    bytes += bytes(files.tree(side.account(), folder, FilePath.MAX_DEPTH));
                    files.removeTree(side.account(), folder);
                }
                entry.removed(bytes);
                return;
            }
            if (files.stat(side.account(), side.part(name)).isEmpty()
                    && files.stat(side.account(), side.file(name)).isEmpty()) {
                throw new Refusal(404, "no such file");
            }
            clear(side, side.part(name), entry);
            clear(side, side.file(name), entry);
        }
    }

    /** Where the bytes go; -1 when the file is complete already and the request only checks it. What is complete stays until it is replaced. */
    private long offset(Upload upload, UploadLedger.Entry entry) {
        UploadPart part = upload.part();
        SandboxSide side = upload.side();
        Present present = present(side, upload.name());
        long partSize = present.complete() ? 0 : present.size();
        entry.replaces(size(side, upload.name()));
        if (part.whole()) {
            entry.fit(Math.max(0, part.total()) - partSize);
            clear(side, side.part(upload.name()), entry);
            return 0;
        }
        if (part.first() < 0 && present.complete() && present.size() == part.total()) {
            return -1;
        }
        long first = part.first() < 0 ? part.total() : part.first();
        if (first != partSize || (present.complete() && first > 0)) {
            throw new Refusal(
                    409,
                    present.size() + " bytes are there" + (present.complete() ? "" : ", go on from there"),
                    present.size());
        }
        entry.fit(part.total() - partSize);
        if (first == 0) {
            clear(side, side.part(upload.name()), entry);
        }
        return first;
    }

    private void clear(SandboxSide side, Path path, UploadLedger.Entry entry) {
        long size = files.stat(side.account(), path).map(FileVersion::size).orElse(-1L);
        if (size >= 0) {
            files.discard(side.account(), path);
            entry.add(-size);
        }
    }

    private long size(SandboxSide side, String name) {
        return files.stat(side.account(), side.file(name))
                .map(FileVersion::size)
                .orElse(0L);
    }

    private UploadLedger.Usage usage(SandboxSide side) {
        long bytes = 0;
        Set<String> names = new HashSet<>();
        for (Path directory : List.of(side.files(), side.parts())) {
            Tree tree = files.tree(side.account(), directory, FilePath.MAX_DEPTH);
            if (tree.cut()) {
                throw new Refusal(413, "the sandbox holds more than can be counted");
            }
            bytes += bytes(tree);
            tree.entries().forEach(entry -> names.add(entry.path()));
        }
        return new UploadLedger.Usage(bytes, names);
    }

    private static long bytes(Tree tree) {
        return tree.entries().stream()
                .filter(entry -> !entry.isDirectory())
                .mapToLong(TreeEntry::size)
                .sum();
    }

    /** One request's bytes on their way. For one thread at a time; closed when the request ends, however it does. */
    final class Receipt implements AutoCloseable {
        private final Upload upload;
        private final UploadLedger.Entry entry;
        private final long first;
        /** Of this body; null where nobody compares it. */
        private final MessageDigest body;
        /** Of the part; null where it is unknown what the bytes before these have. */
        private final MessageDigest whole;

        private byte[] piece;
        private int filled;
        private long at;

        /** @param first where the bytes go; -1 when the file is complete already and the request only checks it */
        private Receipt(Upload upload, UploadLedger.Entry entry, long first) {
            this.upload = upload;
            this.entry = entry;
            this.first = first;
            this.at = first;
            this.piece = new byte[wantsBytes() ? SandboxFiles.PART : 0];
            this.body = upload.digests().content() == null ? null : Sha256.begin();
            this.whole = first == 0 ? Sha256.begin() : learned().orElse(null);
        }

        /** What is known of the bytes that are there. */
        private Optional<MessageDigest> learned() {
            return version().flatMap(version -> sums.state(account(), target(), version));
        }

        private boolean wantsBytes() {
            return first >= 0 && upload.part().first() >= 0;
        }

        /**
         * Reads once.
         *
         * @return whether more is wanted
         */
        boolean read(InputStream body) throws IOException {
            int room = room(upload.part().end());
            if (!wantsBytes() || room == 0) {
                return false;
            }
            int n = body.read(piece, filled, room);
            filled += Math.max(0, n);
            if (filled == piece.length) {
                flush();
            }
            return room(upload.part().end()) > 0;
        }

        /** Keeps what came, for the client to go on with. */
        void keep() {
            if (filled > 0) {
                flush();
            }
            learnPart();
        }

        /**
         * All bytes came.
         *
         * @return a checksum that has to be waited for before {@link #end}; null for none
         */
        FileSums.Asker arrived() {
            if (wantsBytes() && (filled > 0 || at == 0)) {
                flush();
            }
            piece = new byte[0];
            return upload.digests().whole() == null || whole != null || (first >= 0 && at < total())
                    ? null
                    : version()
                            .map(version -> sums.ask(account(), target(), version))
                            .orElse(null);
        }

        /**
         * Ends what has arrived.
         *
         * @return what is there now
         */
        Present end() {
            UploadPart part = upload.part();
            if (body != null) {
                verify("Content-Digest", upload.digests().content(), FileSums.value(body));
            }
            if (part.end() >= 0 && at < part.end()) {
                throw new Refusal(400, "the body ended at byte " + at + " of " + part.end(), at);
            }
            long total = total();
            if (first >= 0 && at < total) {
                learnPart();
                return new Present(at, false);
            }
            MessageDigest seen = whole == null ? learned().orElse(null) : whole;
            if (upload.digests().whole() != null) {
                if (seen == null) {
                    throw new Refusal(
                            503,
                            "all " + total
                                    + " bytes are there, and their checksum is still being computed; end the upload by"
                                    + " an empty PUT with Content-Range: bytes */" + total,
                            total);
                }
                verify("Repr-Digest", upload.digests().whole(), FileSums.value(seen));
            }
            if (first >= 0) {
                upload.stillOpen().run();
                files.finish(account(), part(), file(), total);
                entry.replaced();
                learn(file(), seen);
            }
            return new Present(total, true);
        }

        private long total() {
            return upload.part().total() < 0 ? at : upload.part().total();
        }

        /** For the request that goes on. */
        private void learnPart() {
            learn(part(), whole);
        }

        /** Of a small file nothing is learned: it is read in one piece, as its version would be looked up. */
        private void learn(Path path, MessageDigest seen) {
            if (seen == null || at <= SandboxFiles.PART) {
                return;
            }
            try {
                files.stat(account(), path)
                        .filter(version -> version.size() == at)
                        .ifPresent(version -> sums.learn(account(), path, version, seen));
            } catch (RuntimeException e) {
                // The bytes are there; who wants their checksum has it computed.
                log.debug("{} cannot be looked at", path, e);
            }
        }

        /** Of which the checksum is wanted: what becomes the file, or the file that is there. */
        private Path target() {
            return first < 0 ? file() : part();
        }

        private Optional<FileVersion> version() {
            return files.stat(account(), target());
        }

        private String account() {
            return upload.side().account();
        }

        @Override
        public void close() {
            entry.close();
        }

        /** Never more than was announced, so that a longer body cannot grow the file. */
        private int room(long end) {
            int space = piece.length - filled;
            return end < 0 ? space : (int) Math.min(space, end - at - filled);
        }

        private void flush() {
            byte[] bytes = Arrays.copyOf(piece, filled);
            try {
                add(bytes);
            } catch (OtherSizeException e) {
                // What had come may have gone with the job, which the client should learn rather than go on.
                upload.stillOpen().run();
                throw e;
            } catch (Refusal | DiskFullException e) {
                giveUp();
                throw e;
            }
            for (MessageDigest digest : Arrays.asList(body, whole)) {
                if (digest != null) {
                    digest.update(bytes);
                }
            }
            at += filled;
            filled = 0;
        }

        /** There is no room for it: what has come would be in the way of others. */
        private void giveUp() {
            try {
                files.discard(account(), part());
                entry.add(-at);
            } catch (RuntimeException e) {
                log.warn("{}, for which there is no room, cannot be removed: {}", part(), e.getMessage());
            }
        }

        private void add(byte[] bytes) {
            entry.add(bytes.length);
            try {
                files.append(account(), part(), at, bytes);
            } catch (RuntimeException e) {
                entry.add(-bytes.length);
                throw e;
            } finally {
                entry.written(bytes.length);
            }
        }

        private void verify(String header, byte[] announced, byte[] found) {
            if (announced != null && !MessageDigest.isEqual(announced, found)) {
                if (first >= 0) {
                    files.discard(account(), part());
                    entry.add(-at);
                }
                throw new Refusal(
                        400,
                        header
                                + (first < 0
                                        ? " does not fit the file that is there, which stays: it has "
                                        : " does not fit the bytes that came, nothing is kept of them: they have ")
                                + Digests.header(found));
            }
        }

        private Path part() {
            return upload.side().part(upload.name());
        }

        private Path file() {
            return upload.side().file(upload.name());
        }
    }
}
