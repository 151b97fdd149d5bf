package org.gelato.ce.cli.description;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.FileTrouble;
import org.gelato.ce.cli.terminal.GivenFile;

/** Reads a job description from a file or from standard input. */
public final class DescriptionFile {
    /** Far more than any description needs; the CE would refuse it later. */
    static final int MAX_BYTES = 1 << 20;

    private DescriptionFile() {}

    /** How messages call a description: its file, or standard input for {@code -}. */
    public static String label(String name) {
        return name.equals("-") ? "standard input" : name;
    }

    /** Where the paths of a description start: in its directory; of what is no regular file, as a pipe, in the working directory. */
    public static Path directory(String name, Path workingDirectory) {
        Path file = workingDirectory.resolve(name).toAbsolutePath();
        return name.equals("-") || GivenFile.kind(file) != GivenFile.Kind.REGULAR ? workingDirectory : file.getParent();
    }

    /**
     * Reads a description. A byte order mark, which editors put before a text, is no part of it.
     *
     * @param name file name, or {@code -} for standard input
     * @return never null; at most 1 MiB
     * @throws CliException naming the file and what is wrong with it
     */
    public static String read(String name, Path workingDirectory, InputStream standardInput) {
        String label = label(name);
        try {
            return decode(label, bytes(name, workingDirectory, standardInput));
        } catch (NoSuchFileException e) {
            throw new CliException(label + ": no such file", e);
        } catch (IOException e) {
            throw new CliException(label + ": can't be read: " + FileTrouble.reason(e), e);
        }
    }

    private static byte[] bytes(String name, Path workingDirectory, InputStream standardInput) throws IOException {
        if (name.equals("-")) {
            return GivenFile.read(standardInput, MAX_BYTES);
        }
        Path file = workingDirectory.resolve(name);
        if (Files.isDirectory(file)) {
            throw new CliException(name + ": is a directory");
        }
        return GivenFile.read(file, MAX_BYTES);
    }

    private static String decode(String label, byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new CliException(label + ": larger than " + MAX_BYTES + " bytes, too large for a job description");
        }
        if (isWide(bytes)) {
            throw new CliException(label + ": is text in UTF-16 or UTF-32; save it as UTF-8");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new CliException(label + ": is not text in UTF-8", e);
        }
    }

    /** Shown by its byte order mark, or by the zero in one of the first two characters, which no description has. */
    private static boolean isWide(byte[] bytes) {
        if (bytes.length < 2) {
            return false;
        }
        int first = ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
        return first == 0xfeff || first == 0xfffe || bytes[0] == 0 || bytes[1] == 0;
    }
}
