package org.gelato.ce.blahbridge;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import org.gelato.ce.core.fault.Messages;

/**
 * What tells a directory from all others, wherever it is moved: for a batch system that is what is in its directory. Written once, as a
 * line with the place where it was made, for people, and a random number.
 */
public final class DirectoryIdentity {
    private static final String FILE = "batch-system";
    private static final int LONGEST_PLACE = 300;

    private DirectoryIdentity() {}

    /** What the directory was given; empty where it has none. */
    public static Optional<String> of(Path directory) throws IOException {
        try {
            return Optional.of(Files.readString(directory.resolve(FILE)).strip())
                    .filter(text -> !text.isEmpty());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** The same; one that has none is given one. Where several do so at once, also from several hosts, they get the same. */
    public static String give(Path directory) throws IOException {
        Optional<String> old = of(directory);
        if (old.isPresent()) {
            return old.get();
        }
        UUID number = UUID.randomUUID();
        Path own = directory.resolve(FILE + "." + number);
        String text = Messages.line(host() + ":" + directory, LONGEST_PLACE) + " " + number + "\n";
        try (FileChannel out = FileChannel.open(own, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            out.write(StandardCharsets.UTF_8.encode(text));
            out.force(true);
        }
        try {
            Files.createLink(directory.resolve(FILE), own);
        } catch (FileAlreadyExistsException e) {
            // another one was first
        } finally {
            Files.delete(own);
        }
        return of(directory).orElseThrow(() -> new IOException("no text in " + directory.resolve(FILE)));
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
