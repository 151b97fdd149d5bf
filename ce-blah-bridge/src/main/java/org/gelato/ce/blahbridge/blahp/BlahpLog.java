package org.gelato.ce.blahbridge.blahp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.OutputLines;

/**
 * blahpd's log of submissions, one file a day and one line a job (docs/developer/protocol/blah-protocol.md section 3). It is
 * written after the batch system took a job, and names the job by our tag: so it records what became of a submission
 * whose result was lost. Reading takes as long as the disk; for a worker thread.
 */
final class BlahpLog {
    /** A tag that is looked up is rarely older than a day, and never older than a job's longest life. */
    private static final int MAX_FILES = 62;

    private static final int LONGEST_LINE = 64 * 1024;
    private static final int PIECE = 64 * 1024;
    private static final Pattern CLIENT_ID = Pattern.compile("\"clientID=([^\"]*)\"");
    private static final Pattern LRMS_ID = Pattern.compile("\"lrmsID=([^\"]*)\"");

    private final BlahpConfig config;
    private final Path log;

    BlahpLog(BlahpConfig config) {
        this.config = config;
        this.log = config.accountingLog();
    }

    /**
     * What was submitted under these tags.
     *
     * @return blah job ids per tag in the order of the log; empty where the log has the tag and no id that can be read; a tag
     *     that was not submitted is absent
     * @throws IOException when the log cannot be read, so that nothing is known
     */
    Map<String, List<String>> submitted(Collection<String> tags) throws IOException {
        Set<String> wanted = new HashSet<>(tags);
        Map<String, List<String>> found = new HashMap<>();
        for (Path file : files()) {
            if (wanted.isEmpty()) {
                break;
            }
            Map<String, List<String>> here = read(file, wanted);
            found.putAll(here);
            wanted.removeAll(here.keySet());
        }
        return found;
    }

    /** Newest first. */
    private List<Path> files() throws IOException {
        Path directory = log.toAbsolutePath().getParent();
        String prefix = log.getFileName() + "-";
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path file : all) {
                String name = file.getFileName().toString();
                if (name.startsWith(prefix) && name.substring(prefix.length()).matches("[0-9]{8}")) {
                    files.add(file);
                }
            }
        }
        files.sort(Comparator.comparing((Path p) -> p.getFileName().toString()).reversed());
        return files.subList(0, Math.min(files.size(), MAX_FILES));
    }

    private Map<String, List<String>> read(Path file, Set<String> wanted) throws IOException {
        Map<String, List<String>> found = new HashMap<>();
        String name = file.getFileName().toString();
        String day = name.substring(name.length() - 8);
        OutputLines lines = new OutputLines(LONGEST_LINE, line -> take(line, day, wanted, found));
        try (InputStream in = Files.newInputStream(file)) {
            for (byte[] piece = in.readNBytes(PIECE); piece.length > 0; piece = in.readNBytes(PIECE)) {
                lines.take(piece);
            }
        }
        return found;
    }

    private void take(String line, String day, Set<String> wanted, Map<String, List<String>> found) {
        String tag = last(CLIENT_ID, line);
        if (tag == null || !wanted.contains(tag)) {
            return;
        }
        String batchId = last(LRMS_ID, line);
        String whole = batchId == null ? null : config.id(day, batchId);
        String id = whole == null ? null : BlahJobId.cut(whole);
        // without an id it was submitted, too
        List<String> ids = found.computeIfAbsent(tag, t -> new ArrayList<>());
        if (id != null) {
            ids.add(id);
        }
    }

    /** The last one counts: what comes before it may be a user's own text in a subject. */
    private static String last(Pattern field, String line) {
        Matcher m = field.matcher(line);
        String value = null;
        while (m.find()) {
            value = m.group(1);
        }
        return value;
    }
}
