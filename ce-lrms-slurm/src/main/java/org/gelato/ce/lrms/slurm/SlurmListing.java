package org.gelato.ce.lrms.slurm;

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
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * Our jobs in a listing of squeue or sacct: those with a name of ours; in squeue's also those whose name was changed, by their
 * comment, in which each hand-over writes the name. Both may contain anything, including line ends, and every local user can
 * submit. So each line carries a random mark that is new for each call, and they are the last fields. Pure.
 *
 * @param shown our jobs, in the order of the listing
 * @param marked lines with the mark, foreign jobs' too
 */
record SlurmListing(List<Shown> shown, int marked) {
    /**
     * A job with a name or a comment of ours, which any local user can give.
     *
     * @param owner the user's name as Slurm shows it; empty where the line could not be parsed so far
     * @param tag empty where the line is too long to show a name or a comment; then its job may be any of that id
     * @param job of a line that could not be parsed {@link LrmsJob.State#UNKNOWN}, and without an id where that could not be
     *     parsed either
     * @param readable whether the line could be parsed
     */
    record Shown(String tag, String owner, LrmsJob job, boolean readable) {
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

    private static final int SACCT_FIELDS = 11;

    private static final Pattern ID = Pattern.compile("\\s*([0-9]{1,10})\\s*");

    /** squeue's output format. It knows no CPU time and no memory. */
    static String squeueFormat(String mark) {
        return "JobID:0|" + mark + "|,UserName:0|,State:0|,exit_code:0|,TimeUsed:0|,NumCPUs:0|,NodeList:0|,EndTime:0|,"
                + "tres-alloc:0|,Reason:0|,Name:0|,Comment:0";
    }

    /**
     * sacct's output format, for {@code --delimiter} = {@link #sacctDelimiter}. Memory is known of steps alone, which are not
     * asked for.
     */
    static String sacctFormat() {
        return "JobIDRaw,User,State,ExitCode,Elapsed,AllocCPUS,NodeList,End,AllocTRES,TotalCPU,JobName";
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
     * Those with these ids, and those whose id could not be parsed.
     *
     * @param ids by tag
     */
    SlurmListing of(Map<String, String> ids) {
        return new SlurmListing(
                shown.stream()
                        .filter(one -> one.job().lrmsId() == null
                                || one.job().lrmsId().equals(ids.get(one.tag()))
                                || (one.tag().isEmpty()
                                        && ids.containsValue(one.job().lrmsId())))
                        .toList(),
                marked);
    }

    /** Tags of those whose line could not be parsed; ids of those without one. */
    Set<String> unreadable() {
        return shown.stream()
                .filter(one -> !one.readable())
                .map(one -> one.tag().isEmpty() ? "job " + one.job().lrmsId() : one.tag())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Reads squeue's lines as they come; keeps our jobs. */
    static Reader ofSqueue(String mark) {
        return new Reader((line, isCut) -> squeueRow(line, isCut, mark));
    }

    private static Row squeueRow(String line, boolean isCut, String mark) {
        int at = line.indexOf('|' + mark + '|');
        if (at < 0) {
            return null;
        }
        int begin = at + mark.length() + 1;
        Matcher tag = NAME_OR_COMMENT.matcher(line);
        if (!tag.find(begin)) {
            return isCut ? Row.cut(line.substring(0, at)) : Row.FOREIGN;
        }
        String fields = line.substring(begin + 1, Math.max(tag.start(), begin + 1));
        boolean isComment = tag.end() == line.length();
        return new Row(tag.group(1), line.substring(0, at), isComment ? withoutName(fields) : fields, "");
    }

    private static String withoutName(String fields) {
        return fields.chars().filter(c -> c == '|').count() > BEFORE_THE_REASON
                ? fields.substring(0, fields.lastIndexOf('|'))
                : fields;
    }

    /** Reads sacct's lines as they come; keeps jobs with names of ours. */
    static Reader ofSacct(String mark) {
        Pattern delimiter = Pattern.compile(Pattern.quote(sacctDelimiter(mark)));
        return new Reader((line, isCut) -> sacctRow(delimiter.split(line, -1), isCut));
    }

    private static Row sacctRow(String[] fields, boolean isCut) {
        if (fields.length < 2) {
            return null;
        }
        Matcher tail = TAIL.matcher("|" + fields[fields.length - 1]);
        return tail.find()
                ? new Row(
                        tail.group(1),
                        fields[0],
                        fields.length == SACCT_FIELDS
                                ? String.join("|", List.of(fields).subList(1, 9)) + '|'
                                : "",
                        fields.length == SACCT_FIELDS ? fields[9] : "")
                : isCut ? Row.cut(fields[0]) : Row.FOREIGN;
    }

    /**
     * A line with the mark.
     *
     * @param tag null when the job is none of ours
     * @param cpu CPU time; empty where the program shows none
     */
    private record Row(String tag, String id, String body, String cpu) {
        static final Row FOREIGN = new Row(null, "", "", "");

        /** Of a line that is too long to be read whole: it may be any job's that has this id. */
        static Row cut(String id) {
            return ID.matcher(id).matches() ? new Row("", id, "", "") : FOREIGN;
        }

        Shown shown() {
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
            job = SlurmEnd.of(
                    job.using(SlurmUsage.of(parts.group(4), parts.group(5), cpu)), parts.group(7), parts.group(8));
            return new Shown(tag, owner, job, true);
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
        private final List<Shown> shown = new ArrayList<>();
        private String firstLine = "";
        private int marked;

        private Reader(BiFunction<String, Boolean, Row> rows) {
            this.rows = rows;
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
                if (row.tag() != null) {
                    shown.add(row.shown());
                }
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
