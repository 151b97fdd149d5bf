package org.gelato.ce.lrms.slurm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.lrms.slurm.SlurmListing.Shown;

/**
 * The text file in which slurmctld notes ended jobs ({@code jobcomp/filetxt}), and the one it was last rotated to
 * ({@code .1}). Read whole and in constant memory; lines that cannot be parsed are skipped.
 */
final class JobCompletionLog {
    private static final Pattern LINE = Pattern.compile("JobId=([0-9]{1,10}) .*");
    private static final Pattern OWNER = Pattern.compile("([^(]+)\\([0-9]+\\)");
    private static final int LONGEST_LINE = 64 * 1024;

    private final Path file;

    JobCompletionLog(Path file) {
        this.file = file;
    }

    /**
     * Jobs with these tags.
     *
     * @throws SlurmException when the file cannot be read: then nothing is known
     */
    SlurmListing find(Collection<String> tags) {
        Set<String> wanted = Set.copyOf(tags);
        // this order, so that a rotation in between moves no line past the reader
        Map<String, Shown> newer = new LinkedHashMap<>();
        Map<String, Shown> all = new LinkedHashMap<>();
        Path rotated = file.resolveSibling(file.getFileName() + ".1");
        try {
            read(file, wanted, newer);
            if (Files.exists(rotated)) {
                read(rotated, wanted, all);
            }
        } catch (IOException e) {
            throw new SlurmException("the job completion log cannot be read: " + e, e);
        }
        all.putAll(newer);
        return new SlurmListing(List.copyOf(all.values()), all.size());
    }

    private static void read(Path log, Set<String> wanted, Map<String, Shown> byId) throws IOException {
        // a requeued job has a line for each end; the last one is how it ended
        lines(
                log,
                line -> parse(line)
                        .filter(one -> wanted.contains(one.tag()))
                        .ifPresent(one -> byId.put(one.job().lrmsId(), one)));
    }

    /** One line, if it reports how a job of ours ended. */
    static Optional<Shown> parse(String line) {
        Matcher id = LINE.matcher(line);
        String tag = value(line, "Name");
        if (!id.matches() || !tag.matches("cream_[0-9]{9}")) {
            return Optional.empty();
        }
        LrmsJob job = SlurmState.job(
                id.group(1), tag, value(line, "JobState"), value(line, "ExitCode"), "", value(line, "NodeList"));
        Matcher owner = OWNER.matcher(value(line, "UserId"));
        return Optional.ofNullable(job)
                .map(known -> known.using(
                        SlurmUsage.between(value(line, "StartTime"), value(line, "EndTime"), value(line, "ProcCnt"))))
                .map(known -> SlurmEnd.of(known, value(line, "EndTime"), value(line, "Tres")))
                .map(known -> new Shown(tag, owner.matches() ? owner.group(1) : "", known));
    }

    private static String value(String line, String key) {
        int at = line.indexOf(' ' + key + '=');
        if (at < 0) {
            return "";
        }
        int from = at + key.length() + 2;
        int to = line.indexOf(' ', from);
        return line.substring(from, to < 0 ? line.length() : to);
    }

    private static void lines(Path log, Consumer<String> consumer) throws IOException {
        try (InputStream in = Files.newInputStream(log)) {
            byte[] chunk = new byte[256 * 1024];
            ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                int from = 0;
                for (int i = 0; i < n; i++) {
                    if (chunk[i] == '\n') {
                        append(line, chunk, from, i);
                        consumer.accept(line.toString(StandardCharsets.UTF_8));
                        line.reset();
                        from = i + 1;
                    }
                }
                append(line, chunk, from, n);
            }
        }
    }

    private static void append(ByteArrayOutputStream line, byte[] chunk, int from, int to) {
        line.write(chunk, from, Math.min(to - from, LONGEST_LINE - line.size()));
    }
}
