package org.gelato.ce.cli.jdl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ResourceName;

/** Reads a job description from a file or from standard input, and fits it to a queue. */
public final class JdlFile {
    /** Far more than any description needs; the CE would refuse it later. */
    static final int MAX_BYTES = 1 << 20;

    private JdlFile() {}

    /**
     * Reads a description.
     *
     * @param name file name, or {@code -} for standard input
     * @param resource where it is to run; null when the description contains it
     * @throws CliException naming the file and what is wrong with it
     */
    public static JdlText read(String name, Path workingDirectory, InputStream standardInput, ResourceName resource) {
        String label = name.equals("-") ? "standard input" : name;
        try {
            JdlText jdl = JdlText.of(decode(label, bytes(name, workingDirectory, standardInput)));
            if (jdl.isEmpty()) {
                throw new CliException(label + ": no job description: it sets no attribute");
            }
            return resource == null ? jdl : jdl.with(attributes(resource));
        } catch (JdlSyntaxException e) {
            throw new CliException(label + ": " + e.getMessage(), e);
        } catch (NoSuchFileException e) {
            throw new CliException(label + ": no such file", e);
        } catch (IOException e) {
            throw new CliException(label + ": can't be read: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> attributes(ResourceName resource) {
        Map<String, String> attributes = new java.util.LinkedHashMap<>();
        attributes.put("BatchSystem", resource.batchSystem());
        attributes.put("QueueName", resource.queue());
        return attributes;
    }

    private static byte[] bytes(String name, Path workingDirectory, InputStream standardInput) throws IOException {
        if (name.equals("-")) {
            return standardInput.readNBytes(MAX_BYTES + 1);
        }
        Path file = workingDirectory.resolve(name);
        if (Files.isDirectory(file)) {
            throw new CliException(name + ": is a directory");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MAX_BYTES + 1);
        }
    }

    private static String decode(String label, byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            throw new CliException(label + ": larger than " + MAX_BYTES + " bytes, too large for a job description");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CliException(label + ": is not text in UTF-8", e);
        }
    }
}
