package org.gelato.ce.cli.submission;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.cli.context.UserCache;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobUrl;
import org.gelato.ce.cli.wire.RandomText;

/**
 * The registrations of this user from here and the ids of the jobs they made, in a file of his cache, written before and after each request: a
 * client that is killed loses none. Shells complete ids from it. Lines are only added, each write whole, so that commands that run at once
 * keep those of each other; a file that is full, and lacks no response, makes place for a new one and is read until the next. Nothing depends on it: what can't be read
 * or written is left.
 */
public final class SubmissionLog {
    /** Of one file, in bytes: some thousands of jobs. */
    static final int FULL = 128 * 1024;

    /** In bytes: what a file is kept up to while the jobs of a registration without a response are looked for by the ids in it. */
    static final int LARGEST = 16 * 1024 * 1024;

    /** A registration without a response is of no interest any more. */
    private static final Duration LIFE = Duration.ofDays(7);

    private static final String NOTE = "# ";
    private static final String ANSWERED = "answered";

    private final Optional<Path> file;
    private final Clock clock;

    public SubmissionLog(Map<String, String> environment, Clock clock) {
        this.file = UserCache.of(environment, "jobs").map(UserCache::file);
        this.clock = clock;
    }

    /**
     * A registration whose response is not there.
     *
     * @param jobs how many it was about
     */
    public record Open(Endpoint ce, Instant begun, int jobs) {}

    /**
     * Notes a registration before it is sent.
     *
     * @return its name here
     */
    String begin(Endpoint ce, int jobs) {
        String name = RandomText.hex();
        add(String.join(" ", "#", name, clock.instant().toString(), Integer.toString(jobs), ce + "\n"));
        return name;
    }

    /** Notes the response to a registration, with the jobs that it made. */
    void end(String name, Collection<JobUrl> jobs) {
        add(jobs.stream().map(job -> job + "\n").collect(Collectors.joining()) + NOTE + name + " " + ANSWERED + "\n");
    }

    /** The registrations without a response, of the last days; also one that another command makes just now. */
    public List<Open> open() {
        Map<String, Open> open = new LinkedHashMap<>();
        Instant oldest = clock.instant().minus(LIFE);
        lines().filter(line -> line.startsWith(NOTE)).forEach(line -> {
            String[] words = line.substring(NOTE.length()).split(" ", -1);
            if (words.length == 2 && words[1].equals(ANSWERED)) {
                open.remove(words[0]);
            } else if (words.length == 4) {
                read(words).filter(one -> one.begun().isAfter(oldest)).ifPresent(one -> open.put(words[0], one));
            }
        });
        return List.copyOf(open.values());
    }

    private static Optional<Open> read(String[] words) {
        try {
            return Optional.of(new Open(Endpoint.parse(words[3]), Instant.parse(words[1]), Integer.parseInt(words[2])));
        } catch (DateTimeException | IllegalArgumentException e) {
            // The last line of a file system that was full.
            return Optional.empty();
        }
    }

    /** The jobs whose ids are known here. */
    public Set<String> ids() {
        return lines().filter(line -> !line.startsWith(NOTE)).collect(Collectors.toSet());
    }

    private Stream<String> lines() {
        List<String> lines = new ArrayList<>();
        file.ifPresent(path -> {
            for (Path part : List.of(former(path), path)) {
                try {
                    lines.addAll(Files.readAllLines(part, StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    // Not there, or another's.
                }
            }
        });
        return lines.stream();
    }

    private static Path former(Path path) {
        return path.resolveSibling(path.getFileName() + ".former");
    }

    private void add(String text) {
        if (file.isEmpty()) {
            return;
        }
        Path path = file.get();
        try {
            Files.createDirectories(path.getParent());
            try (FileChannel channel = FileChannel.open(
                    path,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
                if (channel.size() > LARGEST || (channel.size() > FULL && open().isEmpty())) {
                    makePlace(path, channel);
                }
            }
        } catch (IOException | UnsupportedOperationException e) {
            // A home that is full, or another's, is no reason for a command to fail.
        }
    }

    /** Of several commands at once one moves the file: the others get no lock on it, or find a small one in its place. */
    private static void makePlace(Path path, FileChannel channel) throws IOException {
        try (var lock = channel.tryLock()) {
            if (lock != null && Files.size(path) > FULL) {
                Files.move(path, former(path), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (OverlappingFileLockException e) {
            // Another command of this process moves it.
        }
    }
}
