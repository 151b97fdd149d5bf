package org.gelato.ce.lrms.slurm;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.OutputLines;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * Our jobs in a listing of squeue or sacct: those that began in a sandbox, which nobody changes once they run; those with a name of ours,
 * or in squeue's with a comment, in which each hand-over writes the name; and those with ids of ours that began where jobs do that do not
 * see their sandbox. Any of these may contain anything, including line ends, and every local user can submit. So each line carries a random
 * mark that is new for each call, on both sides of the directory, and name and comment are the last fields. Pure.
 *
 * @param shown our jobs, in the order of the listing
 * @param marked lines with the mark, foreign jobs' too
 */
record SlurmListing(List<Shown> shown, int marked) {
    /**
     * A job with a directory, a name or a comment of ours, which any local user can give, or with an id of ours.
     *
     * @param owner the user's name as Slurm shows it; empty where the line could not be parsed so far
     * @param tag null where nothing of ours but the id is shown; empty where the line is too long to show a name or a comment: then its
     *     job may be any of that id
     * @param job of a line that could not be parsed {@link LrmsJob.State#UNKNOWN}, and without an id where that could not be
     *     parsed either
     * @param readable whether the line could be parsed
     */
    record Shown(String tag, String owner, LrmsJob job, boolean readable) {
        /** Whether its job may be of any tag. */
        boolean isAny() {
            return tag == null || tag.isEmpty();
        }

        /** Whether it may be the job of this account. */
        boolean mayBeOf(String account) {
            return owner.isEmpty() || owner.equals(account);
        }
    }

    private static final Pattern TAIL = Pattern.compile("\\|\\s*(cream_[0-9]{9})\\s*$");
    /** A name, or where that is none of ours a comment. */
    private static final Pattern NAME_OR_COMMENT = Pattern.compile("\\|\\s*(cream_[0-9]{9})\\s*(?:\\||$)");

    private static final int BEFORE_THE_REASON = 8;
    /** owner, state, exit, elapsed time, CPUs, nodes, end, resources, reason; a reason may be an administrator's free text. */
    private static final Pattern BODY = Pattern.compile("([^|]*)\\|".repeat(BEFORE_THE_REASON) + "(.*)");

    private static final String UNREADABLE = "Slurm shows what may be this job in a form that can't be read";

    private static final int SACCT_FIELDS = 13;
    /** The step of a job's script. */
    private static final Pattern SCRIPT = Pattern.compile("([0-9]{1,10})\\.batch");

    /** A time; squeue's of the submission with how often the job was queued again: only where it never was. */
    private static final Pattern SECONDS = Pattern.compile("\\s*([0-9]{1,11})\\s*(?:\\+\\s*0\\s*)?");

    private static final Pattern ID = Pattern.compile("\\s*([0-9]{1,10})\\s*");

    /** By which squeue and sacct print times as seconds since 1970, whatever the zone and the hour. */
    static final Map<String, String> TIMES = Map.of("SLURM_TIME_FORMAT", "%s");

    /**
     * squeue's output format. It knows no CPU time and no memory, and of a job that was queued again when that was in place of when it was
     * submitted.
     */
    static String squeueFormat(String mark) {
        return "JobID:0|" + mark + "|,SubmitTime:0+,restartcnt:0|,WorkDir:0|" + mark
                + "|,UserName:0|,State:0|,exit_code:0|,TimeUsed:0|,NumCPUs:0|,NodeList:0|,EndTime:0|,"
                + "tres-alloc:0|,Reason:0|,Name:0|,Comment:0";
    }

    /**
     * sacct's output format, for {@code --delimiter} = {@link #sacctDelimiter}. CPU time of a job is the sum of its steps, and 0 where they
     * are not requested.
     */
    static String sacctFormat() {
        return "JobIDRaw,Submit,WorkDir,User,State,ExitCode,Elapsed,AllocCPUS,NodeList,End,AllocTRES,TotalCPU,JobName";
    }

    /** What stands between sacct's fields. */
    static String sacctDelimiter(String mark) {
        return "|" + mark + "|";
    }

    /** Those whose id could be parsed; {@link LrmsJob.State#UNKNOWN} where no more could. */
    List<LrmsJob> jobs() {
        return shown.stream().map(Shown::job).filter(job -> !job.isUnreadable()).toList();
    }

    /**
     * /** Tags of those whose line could not be parsed; ids of those without one. */
    Set<String> unreadable() {
        return shown.stream()
                .filter(one -> !one.readable())
                .map(one -> one.isAny() ? "job " + one.job().lrmsId() : one.tag())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Reads squeue's lines as they come; keeps our jobs.
     *
     * @param ids of ours, of jobs that do not see their sandbox: such a job is kept whatever name and comment it has
     */
    static Reader ofSqueue(String mark, Set<String> ids) {
        return new Reader((line, isCut) -> squeueRow(line, isCut, '|' + mark + '|'), ids);
    }

    private static Row squeueRow(String line, boolean isCut, String mark) {
        int first = line.indexOf(mark);
        if (first < 0) {
            return null;
        }
        // a directory with a line end leaves one mark in each of its lines
        int second = line.indexOf(mark, first + mark.length());
        int place = line.indexOf('|', first + mark.length());
        if (second < 0) {
            return Row.FOREIGN;
        }
        String submitted = line.substring(first + mark.length(), place);
        String directory = line.substring(Math.min(place + 1, second), second);
        int begin = second + mark.length();
        Matcher name = NAME_OR_COMMENT.matcher(line);
        boolean named = name.find(begin - 1);
        String rest = named ? line.substring(begin, Math.max(name.start(), begin)) : upToReason(line.substring(begin));
        boolean hasName = named && name.end() == line.length();
        return new Row(
                tag(directory, named ? name.group(1) : null),
                line.substring(0, first),
                submitted,
                directory,
                hasName ? withoutName(rest) : rest,
                "",
                false,
                isCut);
    }

    /**
     * The tag of a job. The directory counts more: the job itself may change its name and its comment.
     *
     * @param directory in which it begins
     * @param name null for none
     * @return null where neither is the CE's
     */
    static String tag(String directory, String name) {
        return JobId.parse(directory.strip())
                .or(() -> JobId.ofTag(name))
                .map(JobId::tag)
                .orElse(null);
    }

    /** Whether jobs begin there whose nodes do not see the sandboxes. */
    static boolean isOutsideOfSandboxes(String directory) {
        return directory.strip().equals(SbatchCommand.OUTSIDE);
    }

    private static String upToReason(String fields) {
        String[] parts = fields.split("\\|", BEFORE_THE_REASON + 2);
        return String.join("|", List.of(parts).subList(0, Math.min(parts.length, BEFORE_THE_REASON + 1)));
    }

    private static String withoutName(String fields) {
        return fields.chars().filter(c -> c == '|').count() > BEFORE_THE_REASON
                ? fields.substring(0, fields.lastIndexOf('|'))
                : fields;
    }

    /** As {@link #ofSqueue}, of sacct's lines; those of steps are passed over. */
    static Reader ofSacct(String mark, Set<String> ids) {
        Pattern delimiter = Pattern.compile(Pattern.quote(sacctDelimiter(mark)));
        return new Reader((line, isCut) -> sacctRow(delimiter.split(line, -1), isCut), ids);
    }

    private static Row sacctRow(String[] fields, boolean isCut) {
        if (fields.length < 2) {
            return null;
        }
        Matcher tail = TAIL.matcher("|" + fields[fields.length - 1]);
        boolean named = tail.find();
        boolean whole = fields.length == SACCT_FIELDS;
        String directory = fields.length > 2 ? fields[2] : "";
        return new Row(
                tag(directory, named ? tail.group(1) : null),
                fields[0],
                fields[1],
                directory,
                whole ? String.join("|", List.of(fields).subList(3, 11)) + '|' : "",
                whole ? fields[11] : "",
                true,
                isCut);
    }

    /**
     * A line with the mark.
     *
     * @param tag null when nothing shows one of ours
     * @param submitted when, in seconds since 1970
     * @param directory in which the job begins
     * @param cpu CPU time; empty where the program shows none
     * @param isOfSacct whether sacct shows it, not squeue
     * @param cut whether the line is too long to be read whole
     */
    private record Row(
            String tag,
            String id,
            String submitted,
            String directory,
            String body,
            String cpu,
            boolean isOfSacct,
            boolean cut) {
        static final Row FOREIGN = new Row(null, "", "", "", "", "", false, false);

        boolean isKept(Set<String> ids) {
            return tag != null
                    || (cut && ID.matcher(id).matches())
                    || (ids.contains(id.strip()) && isOutsideOfSandboxes(directory));
        }

        /** Whether it is the step of a script, and has no exit status. */
        boolean isNotBegun() {
            Matcher parts = BODY.matcher(body);
            return SCRIPT.matcher(id).matches()
                    && parts.matches()
                    && parts.group(3).isBlank();
        }

        private static Instant time(String text) {
            Matcher seconds = SECONDS.matcher(text);
            return seconds.matches() ? Instant.ofEpochSecond(Long.parseLong(seconds.group(1))) : null;
        }

        Shown shown() {
            if (tag == null && cut) {
                // it may be any job's that has this id
                LrmsJob any = new LrmsJob(id.strip(), "", LrmsJob.State.UNKNOWN, null, UNREADABLE, null);
                return new Shown("", "", any, false);
            }
            Matcher number = ID.matcher(id);
            Matcher parts = BODY.matcher(body);
            LrmsJob job = number.matches() && parts.matches()
                    ? SlurmState.job(
                            number.group(1), tag, parts.group(2), parts.group(3), parts.group(9), parts.group(6))
                    : null;
            String owner = parts.matches() ? parts.group(1).strip() : "";
            if (job == null) {
                String lrmsId = number.matches() ? number.group(1) : null;
                return new Shown(
                        tag, owner, new LrmsJob(lrmsId, tag, LrmsJob.State.UNKNOWN, null, UNREADABLE, null), false);
            }
            job = isOfSacct ? EndDetails.ofSacct(job, parts.group(2)) : EndDetails.ofStatus(job, parts.group(3));
            job = EndDetails.of(
                    job.using(SlurmUsage.of(parts.group(4), parts.group(5), cpu)),
                    time(parts.group(7)),
                    parts.group(8));
            return new Shown(
                    tag, owner, tag == null ? job.submitted(new LrmsJob.Submitted(owner, time(submitted))) : job, true);
        }
    }

    /**
     * Reads a listing in pieces, in the memory of a line and of our jobs. Used by one thread at a time.
     */
    static final class Reader {
        private static final int LONGEST_LINE = 64 * 1024;
        private static final int LONGEST_MESSAGE = 500;

        // a name may contain any line end
        private final OutputLines lines =
                new OutputLines(LONGEST_LINE, line -> line.lines().forEach(this::line));
        private final BiFunction<String, Boolean, Row> rows;
        private final Set<String> ids;
        private final List<Shown> shown = new ArrayList<>();
        private String firstLine = "";
        private int marked;

        private Reader(BiFunction<String, Boolean, Row> rows, Set<String> ids) {
            this.rows = rows;
            this.ids = ids;
        }

        void take(byte[] piece) {
            lines.take(piece);
        }

        private void line(String line) {
            if (firstLine.isBlank()) {
                firstLine = line.substring(0, Math.min(line.length(), LONGEST_MESSAGE));
            }
            Row row = rows.apply(line, lines.isCut());
            if (row != null) {
                marked++;
                if (row.isKept(ids)) {
                    shown.add(row.shown());
                } else if (row.isNotBegun()) {
                    notBegun(row.id());
                }
            }
        }

        /** The step of a job follows its job. */
        private void notBegun(String step) {
            int last = shown.size() - 1;
            Shown job = last < 0 ? null : shown.get(last);
            if (job != null && step.equals(job.job().lrmsId() + ".batch")) {
                shown.set(last, new Shown(job.tag(), job.owner(), EndDetails.notBegun(job.job()), job.readable()));
            }
        }

        /** Whether the last line came without its end. */
        boolean isCut() {
            return lines.isOpen();
        }

        /** The first line that is not blank, for messages; empty when there is none. */
        String firstLine() {
            return firstLine;
        }

        SlurmListing listing() {
            return new SlurmListing(List.copyOf(shown), marked);
        }
    }
}
