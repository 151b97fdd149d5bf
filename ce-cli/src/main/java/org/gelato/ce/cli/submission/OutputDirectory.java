package org.gelato.ce.cli.submission;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.FileTrouble;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.OutputFile;

/**
 * The one directory a job's output is saved below. The CE chooses the names, so none is trusted: nothing is ever written
 * outside, through a link, or over a file that is already there. A file appears under its name only when it is complete; what
 * is there of one goes with the program, and a hidden {@code .ce-*.part} is left by one that is killed.
 */
public final class OutputDirectory {
    private static final int MAX_DEPTH = 32;

    /** Files under way. */
    private static final Set<Path> PARTS = ConcurrentHashMap.newKeySet();

    static {
        // Ctrl-C.
        Runtime.getRuntime().addShutdownHook(new Thread(OutputDirectory::removeParts, "parts of files"));
    }

    private final Path root;

    private OutputDirectory(Path root) {
        this.root = root;
    }

    /**
     * Makes the directory unless it is there.
     *
     * @throws CliException when that can't be
     */
    public static OutputDirectory create(Path directory) {
        try {
            return new OutputDirectory(Files.createDirectories(directory).toRealPath());
        } catch (FileAlreadyExistsException e) {
            throw new CliException(directory + " is not a directory", e);
        } catch (IOException e) {
            throw new CliException("can't make directory " + directory + ": " + FileTrouble.reason(e), e);
        }
    }

    /**
     * Saves one file.
     *
     * @return where it is
     * @throws CliException when the name is not acceptable, the file is there already, or writing fails
     */
    public Path save(OutputFile file, Content content) {
        Path target = place(file.name());
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new CliException(target + " is there already: remove it, or save elsewhere with -d");
        }
        Path part = null;
        try {
            makeParents(target);
            part = Files.createTempFile(target.getParent(), ".ce-", ".part");
            PARTS.add(part);
            copy(content, part);
            publish(part, target);
            return target;
        } catch (FileAlreadyExistsException e) {
            throw new CliException(target + " is there already: remove it, or save elsewhere with -d", e);
        } catch (IOException e) {
            throw new CliException("can't write " + target + ": " + FileTrouble.reason(e), e);
        } finally {
            discard(part);
        }
    }

    private static void copy(Content content, Path part) throws IOException {
        try (InputStream in = content.open();
                OutputStream out = Files.newOutputStream(part)) {
            byte[] buffer = new byte[64 * 1024];
            for (int n = read(in, buffer); n >= 0; n = read(in, buffer)) {
                out.write(buffer, 0, n);
            }
        }
    }

    private static int read(InputStream in, byte[] buffer) {
        try {
            return in.read(buffer);
        } catch (IOException e) {
            throw new ConnectionFailure(
                    "the connection broke before the file was complete: " + FileTrouble.reason(e), e);
        }
    }

    /** A hard link refuses an existing name where a rename would replace it. */
    private static void publish(Path part, Path target) throws IOException {
        try {
            Files.createLink(target, part);
        } catch (UnsupportedOperationException e) {
            Files.move(part, target);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            // File systems without hard links (vfat, some network ones).
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void discard(Path part) {
        if (part == null) {
            return;
        }
        try {
            Files.deleteIfExists(part);
            PARTS.remove(part);
        } catch (IOException e) {
            // Once more at the end of the program.
            return;
        }
    }

    static void removeParts() {
        PARTS.forEach(OutputDirectory::discard);
    }

    private Path place(String name) {
        Path relative;
        try {
            relative = Path.of(name);
        } catch (InvalidPathException e) {
            throw refused(name, e);
        }
        if (name.isEmpty()
                || relative.isAbsolute()
                || relative.getNameCount() > MAX_DEPTH
                || !relative.normalize().equals(relative)
                || name.chars().anyMatch(Character::isISOControl)) {
            throw refused(name, null);
        }
        for (Path part : relative) {
            String text = part.toString();
            if (text.isEmpty() || text.equals(".") || text.equals("..")) {
                throw refused(name, null);
            }
        }
        Path target = root.resolve(relative);
        if (!target.startsWith(root) || target.equals(root)) {
            throw refused(name, null);
        }
        return target;
    }

    private static CliException refused(String name, Exception cause) {
        return new CliException(
                "the CE offers a file name that could leave the directory: '" + Printable.line(name) + "'", cause);
    }

    private void makeParents(Path target) throws IOException {
        Path directory = root;
        for (Path part : root.relativize(target.getParent())) {
            if (part.toString().isEmpty()) {
                continue;
            }
            directory = directory.resolve(part);
            if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(directory);
            }
            if (!Files.readAttributes(directory, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isDirectory()) {
                throw new CliException(directory + " is in the way: it is not a directory");
            }
        }
    }

    /** Opens a file's content; closed by the caller. */
    @FunctionalInterface
    public interface Content {
        InputStream open() throws IOException;
    }
}
