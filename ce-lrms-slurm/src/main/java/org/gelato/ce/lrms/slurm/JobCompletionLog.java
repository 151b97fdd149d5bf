package org.gelato.ce.lrms.slurm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.account.OutputLines;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.LocalTimes;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.LrmsException;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.Submitted;
import org.gelato.ce.lrms.slurm.SlurmListing.Shown;

/**
 * The text file in which slurmctld notes ended jobs ({@code jobcomp/filetxt}), and the one it was last rotated to
 * ({@code .1}). Read whole and in constant memory; lines that cannot be parsed are skipped.
 */
final class JobCompletionLog {
    private static final Pattern LINE = Pattern.compile("JobId=([0-9]{1,10}) .*");
    private static final Pattern OWNER = Pattern.compile("([^(]+)\\([0-9]+\\)");
    private static final int LONGEST_LINE = 64 * 1024;
    private static final int PIECE = 256 * 1024;

    private static final String DIFFER =
            "the job completion log has records of it that differ: it was requeued, or a user forged one";

    private final Path file;
    private final LocalTimes times;

    JobCompletionLog(Path file) {
        this(file, LocalTimes.ofHost(DateTimeFormatter.ISO_LOCAL_DATE_TIME));
    }

    JobCompletionLog(Path file, LocalTimes times) {
        this.file = file;
        this.times = times;
    }

    /**
     * How these jobs ended. Of one whose id is known only records of that id count.
     *
     * @throws LrmsException when the file cannot be read: then nothing is known
     */
    SlurmListing find(Collection<Lookup> lookups) {
        Map<String, Lookup> wanted = new HashMap<>();
        lookups.forEach(one -> wanted.put(one.lrmsId() == null ? one.tag() : one.lrmsId(), one));
        Map<String, Shown> ended = new LinkedHashMap<>();
        // this order, so that a rotation in between moves no line past the reader
        Path rotated = file.resolveSibling(file.getFileName() + ".1");
        try {
            read(file, wanted, ended);
            if (Files.exists(rotated)) {
                read(rotated, wanted, ended);
            }
        } catch (IOException e) {
            throw new LrmsException("the job completion log cannot be read: " + Messages.of(e), e);
        }
        return new SlurmListing(List.copyOf(ended.values()), ended.size());
    }

    private void read(Path log, Map<String, Lookup> wanted, Map<String, Shown> byId) throws IOException {
        OutputLines lines = new OutputLines(
                LONGEST_LINE,
                line -> parse(line, wanted)
                        .ifPresent(one -> byId.merge(one.job().lrmsId(), one, JobCompletionLog::both)));
        try (InputStream in = Files.newInputStream(log)) {
            for (byte[] piece = in.readNBytes(PIECE); piece.length > 0; piece = in.readNBytes(PIECE)) {
                lines.take(piece);
            }
        }
    }

    /**
     * A requeued job has a record of each end, and any local user can add one of another's job: by line ends in a name, which
     * Slurm writes as they are. Which one is true can't be known where they differ.
     */
    private static Shown both(Shown a, Shown b) {
        return a.equals(b) ? a : new Shown(a.tag(), a.owner(), ended(a.job(), DIFFER), true);
    }

    private static LrmsJob ended(LrmsJob job, String reason) {
        return new LrmsJob(job.lrmsId(), job.tag(), LrmsJob.State.DONE, null, reason, job.workerNode());
    }

    /**
     * One line, if it reports that a job that is looked up ended.
     *
     * @param wanted by id, or by tag where that is not known
     */
    Optional<Shown> parse(String line, Map<String, Lookup> wanted) {
        Matcher id = LINE.matcher(line);
        if (!id.matches()) {
            return Optional.empty();
        }
        String directory = value(line, "WorkDir");
        String tag = SlurmListing.tag(directory, value(line, "Name"));
        Lookup sought = wanted.getOrDefault(id.group(1), wanted.get(tag));
        Matcher user = OWNER.matcher(value(line, "UserId"));
        String owner = user.matches() ? user.group(1) : "";
        if (sought == null
                || !(owner.isEmpty() || owner.equals(sought.account()))
                || (tag == null && !SlurmListing.isOutsideOfSandboxes(directory))) {
            return Optional.empty();
        }
        LrmsJob job = job(line, id.group(1), tag);
        Submitted by = tag == null ? new Submitted(owner, times.parse(value(line, "SubmitTime"))) : null;
        return sought.lrmsId() == null || job.submitted(by).isOf(sought)
                ? Optional.of(new Shown(sought.tag(), owner, job.named(sought.tag()), true))
                : Optional.empty();
    }

    private LrmsJob job(String line, String id, String tag) {
        String state = value(line, "JobState");
        String status = value(line, "ExitCode");
        LrmsJob known = SlurmState.job(id, tag, state, status, "", value(line, "NodeList"));
        if (known == null || (!known.state().isEnd() && known.state() != LrmsJob.State.UNKNOWN)) {
            // whatever it is called, it is an end: there are no other records
            String reason = "the job completion log shows its end as " + SlurmMessages.brief(state);
            return ended(new LrmsJob(id, tag, LrmsJob.State.DONE, null, null, null), reason);
        }
        Instant end = times.parse(value(line, "EndTime"));
        return EndDetails.of(
                EndDetails.ofStatus(known, status)
                        .using(SlurmUsage.between(times.parse(value(line, "StartTime")), end, value(line, "ProcCnt"))),
                end,
                value(line, "Tres"));
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
}
