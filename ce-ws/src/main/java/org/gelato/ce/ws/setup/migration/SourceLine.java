package org.gelato.ce.ws.setup.migration;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.config.ConfigurationException;

/** A line of an old file. */
record SourceLine(SourcePlace place, String text) {
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_FILES = 100;
    private static final int MAX_TOGETHER = 4 << 20;

    /**
     * The lines of all files, in their order.
     *
     * @param option that named them, for messages
     * @throws ConfigurationException when one cannot be read, or there is too much
     */
    static List<SourceLine> read(String option, List<Path> files) {
        if (files.size() > MAX_FILES) {
            throw refusal(option, "more than " + MAX_FILES + " files are named");
        }
        List<SourceLine> lines = new ArrayList<>();
        int together = 0;
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            byte[] bytes;
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(MAX_BYTES + 1);
            } catch (IOException e) {
                throw refusal(option, file + " cannot be read: " + Messages.of(e));
            }
            if (bytes.length > MAX_BYTES) {
                throw refusal(option, file + " is larger than 1 MiB");
            }
            together += bytes.length;
            if (together > MAX_TOGETHER) {
                throw refusal(option, "the files have more than 4 MiB together");
            }
            String name = Messages.line(String.valueOf(file.getFileName()), 100);
            int number = 0;
            for (String text : new String(bytes, StandardCharsets.UTF_8).split("\r?\n", -1)) {
                number++;
                lines.add(new SourceLine(new SourcePlace(i, name, number), text));
            }
        }
        return lines;
    }

    static ConfigurationException refusal(String option, String why) {
        return new ConfigurationException(option, List.of(option + ": " + why));
    }

    /** Whether nothing counts on it. */
    boolean isComment() {
        return text.stripLeading().startsWith("#");
    }
}
