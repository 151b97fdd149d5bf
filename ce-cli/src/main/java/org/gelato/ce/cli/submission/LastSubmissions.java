package org.gelato.ce.cli.submission;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.gelato.ce.cli.wire.JobUrl;

/**
 * The ids of the jobs that this user submitted last, in a file of his cache that shells complete from. Nothing depends on it: what can't be
 * read or written is left.
 */
public final class LastSubmissions {
    static final int MOST = 50;
    private static final int MOST_BYTES = 64 * 1024;

    private LastSubmissions() {}

    /** Puts jobs at the beginning. */
    public static void remember(Map<String, String> environment, Collection<JobUrl> jobs) {
        Path file = file(environment).orElse(null);
        if (file == null || jobs.isEmpty()) {
            return;
        }
        List<String> newest = new ArrayList<>();
        jobs.forEach(job -> newest.add(0, job.toString()));
        Set<String> lines = new LinkedHashSet<>(newest);
        try {
            Files.createDirectories(file.getParent());
            if (Files.exists(file) && Files.size(file) <= MOST_BYTES) {
                lines.addAll(Files.readAllLines(file, StandardCharsets.ISO_8859_1));
            }
            // Made for this user alone, and there as a whole or not at all.
            Path part = Files.createTempFile(file.getParent(), "jobs", ".part");
            try {
                Files.write(part, lines.stream().limit(MOST).toList());
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            // A home that is full, or another's, is no reason for a submission to fail.
        }
    }

    private static Optional<Path> file(Map<String, String> environment) {
        String cache = environment.get("XDG_CACHE_HOME");
        String home = environment.get("HOME");
        if (cache != null && cache.startsWith("/")) {
            return Optional.of(Path.of(cache, "gelato", "jobs"));
        }
        return home != null && home.startsWith("/")
                ? Optional.of(Path.of(home, ".cache", "gelato", "jobs"))
                : Optional.empty();
    }
}
