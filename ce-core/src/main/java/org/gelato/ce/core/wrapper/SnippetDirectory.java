package org.gelato.ce.core.wrapper;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.RuntimeEnvironments.Snippet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runtime environments as an administrator configures them: a directory of shell snippets whose paths below it are the names
 * (decision 0072). Read again when the last reading is ten seconds old. A snippet that could be another's than the
 * administrator's, or is not fit, is left out and named in the log, once until that changes. Thread-safe.
 */
public final class SnippetDirectory implements Supplier<List<Snippet>> {
    /** Bytes of the longest snippet: each job that wants it carries its text. */
    public static final int MAX_BYTES = 32 << 10;

    /** Most snippets of a site. */
    public static final int MAX_SNIPPETS = 200;

    private static final Logger log = LoggerFactory.getLogger(SnippetDirectory.class);
    private static final int MAX_DEPTH = 4;
    private static final int MAX_NAME = 128;
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Pattern PART = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+-]*");
    private static final int ROOT = 0;

    private final Path directory;
    private final LongSupplier ticker;
    private List<Snippet> known = List.of();
    private List<Flaw> flaws = List.of();
    private boolean read;
    private long readAt;

    /** Why a file or directory is left out. */
    public record Flaw(Path file, String reason) {}

    /**
     * What was found.
     *
     * @param snippets by name
     */
    public record Contents(List<Snippet> snippets, List<Flaw> flaws) {}

    /** @param ticker nanoseconds of a clock that nobody sets */
    public SnippetDirectory(Path directory, LongSupplier ticker) {
        this.directory = directory;
        this.ticker = ticker;
    }

    @Override
    public synchronized List<Snippet> get() {
        long now = ticker.getAsLong();
        if (!read || now - readAt >= KEPT_NANOS) {
            Contents contents = read(directory);
            known = contents.snippets();
            if (!contents.flaws().equals(flaws)) {
                flaws = contents.flaws();
                flaws.stream()
                        .limit(20)
                        .forEach(flaw ->
                                log.error("runtime environment {} is left out: {}", flaw.file(), flaw.reason()));
            }
            read = true;
            readAt = now;
        }
        return known;
    }

    /** Reads a directory; whatever is wrong with it is among the flaws. */
    public static Contents read(Path directory) {
        Reader reader = new Reader(directory);
        reader.directory(directory, 1);
        return new Contents(List.copyOf(reader.snippets), List.copyOf(reader.flaws));
    }

    private static final class Reader {
        private final Path top;
        private final List<Snippet> snippets = new ArrayList<>();
        private final List<Flaw> flaws = new ArrayList<>();
        private final Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

        Reader(Path top) {
            this.top = top;
            names.add(RuntimeEnvironments.PROXY);
        }

        private void directory(Path at, int depth) {
            List<Path> entries = new ArrayList<>();
            try {
                if (!isTrusted(at)) {
                    return;
                }
                try (DirectoryStream<Path> all = Files.newDirectoryStream(at)) {
                    for (Path entry : all) {
                        if (entries.size() > 2 * MAX_SNIPPETS) {
                            flaws.add(new Flaw(at, "it has more than " + 2 * MAX_SNIPPETS + " entries"));
                            return;
                        }
                        entries.add(entry);
                    }
                }
            } catch (IOException | RuntimeException e) {
                flaws.add(new Flaw(at, "it cannot be read (" + Messages.of(e) + ")"));
                return;
            }
            entries.sort(null);
            for (Path entry : entries) {
                entry(entry, depth);
            }
        }

        private void entry(Path entry, int depth) {
            if (entry.getFileName().toString().startsWith(".")) {
                return; // an editor's, or what an administrator put away
            }
            // Directories behind links could lead round and round.
            if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                file(entry);
            } else if (depth == MAX_DEPTH) {
                flaws.add(new Flaw(entry, "it is deeper than " + MAX_DEPTH + " directories"));
            } else {
                directory(entry, depth + 1);
            }
        }

        private void file(Path file) {
            String name = top.relativize(file).toString();
            boolean fit = name.length() <= MAX_NAME;
            for (String part : name.split("/")) {
                fit &= PART.matcher(part).matches();
            }
            try {
                if (!fit) {
                    flaws.add(new Flaw(
                            file,
                            "its name is not made of letters, digits and . _ + -, or longer than " + MAX_NAME
                                    + " characters"));
                } else if (!Files.isRegularFile(file)) {
                    flaws.add(new Flaw(file, "it is not a file"));
                } else if (isTrusted(file)) {
                    String text = text(file);
                    if (text != null) {
                        add(file, name, text);
                    }
                }
            } catch (CharacterCodingException e) {
                flaws.add(new Flaw(file, "it is not UTF-8"));
            } catch (IOException | RuntimeException e) {
                flaws.add(new Flaw(file, "it cannot be read (" + Messages.of(e) + ")"));
            }
        }

        private void add(Path file, String name, String text) {
            if (name.equalsIgnoreCase(RuntimeEnvironments.PROXY)) {
                flaws.add(new Flaw(file, "this environment is always there and does nothing"));
            } else if (snippets.size() == MAX_SNIPPETS) {
                flaws.add(new Flaw(file, "there are more than " + MAX_SNIPPETS));
            } else if (!names.add(name)) {
                flaws.add(new Flaw(file, "another one has this name; capital letters do not count"));
            } else {
                snippets.add(new Snippet(name, text));
            }
        }

        /** Null when it is left out. */
        private String text(Path file) throws IOException {
            byte[] bytes;
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(MAX_BYTES + 1);
            }
            if (bytes.length > MAX_BYTES) {
                flaws.add(new Flaw(file, "it is larger than " + MAX_BYTES + " bytes"));
                return null;
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.indexOf('\0') >= 0) {
                flaws.add(new Flaw(file, "it holds a NUL"));
                return null;
            }
            return text;
        }

        /** It runs in the jobs of all users: nobody else may have written it. */
        private boolean isTrusted(Path file) throws IOException {
            if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE)) {
                flaws.add(new Flaw(file, "it is writable by others"));
                return false;
            }
            Object owner = Files.getAttribute(file, "unix:uid");
            if (!owner.equals(ROOT) && !owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
                flaws.add(new Flaw(file, "it belongs neither to root nor to the CE's account"));
                return false;
            }
            return true;
        }
    }
}
