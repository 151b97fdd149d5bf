package org.gelato.ce.lrms.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * Our jobs in a listing of squeue or sacct. A job's name may hold anything, line ends too, and every local user can
 * submit: so each line carries a mark drawn anew for each call, and the name stands last, where it can only break itself. Pure.
 *
 * @param shown jobs with names of ours, in the order of the listing
 * @param marked lines with the mark, foreign jobs' too
 */
record JobListing(List<Shown> shown, int marked) {
    /**
     * A job with a name of ours, which any local user can give.
     *
     * @param owner the user's name as Slurm shows it; empty where the line could not be understood so far
     * @param job null where the line could not be understood
     */
    record Shown(String tag, String owner, LrmsJob job) {
        /** Whether it may be the job of this account; null for any account's. */
        boolean mayBeOf(String account) {
            return account == null || owner.isEmpty() || owner.equals(account);
        }
    }

    private static final Pattern TAIL = Pattern.compile("\\|\\s*(cream_[0-9]{9})\\s*$");
    /** owner, state, exit, nodes, reason; a reason may be an administrator's free text. */
    private static final Pattern BODY = Pattern.compile("([^|]*)\\|([^|]*)\\|([^|]*)\\|([^|]*)\\|(.*)");

    private static final Pattern ID = Pattern.compile("\\s*([0-9]{1,10})\\s*");

    /** squeue's output format. */
    static String squeueFormat(String mark) {
        return "JobID:0|" + mark + "|,UserName:0|,State:0|,exit_code:0|,NodeList:0|,Reason:0|,Name:0";
    }

    /** sacct's output format, for {@code --delimiter} = {@link #sacctDelimiter}. */
    static String sacctFormat() {
        return "JobIDRaw,User,State,ExitCode,NodeList,JobName";
    }

    /** What stands between sacct's fields. */
    static String sacctDelimiter(String mark) {
        return "|" + mark + "|";
    }

    /** Those that could be understood. */
    List<LrmsJob> jobs() {
        return shown.stream().map(Shown::job).filter(Objects::nonNull).toList();
    }

    /** Tags of those whose line could not be understood. */
    Set<String> unreadable() {
        return shown.stream()
                .filter(one -> one.job() == null)
                .map(Shown::tag)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static JobListing ofSqueue(String output, String mark) {
        Builder builder = new Builder();
        output.lines().forEach(line -> {
            int at = line.indexOf('|' + mark + '|');
            if (at >= 0) {
                builder.marked++;
                Matcher tail = TAIL.matcher(line);
                if (tail.find()) {
                    builder.add(
                            tail.group(1),
                            line.substring(0, at),
                            line.substring(at + mark.length() + 2, Math.max(tail.start(), at + mark.length() + 2)));
                }
            }
        });
        return builder.listing();
    }

    static JobListing ofSacct(String output, String mark) {
        Builder builder = new Builder();
        String delimiter = Pattern.quote(sacctDelimiter(mark));
        output.lines().forEach(line -> {
            String[] fields = line.split(delimiter, -1);
            if (fields.length > 1) {
                builder.marked++;
                Matcher tail = TAIL.matcher("|" + fields[fields.length - 1]);
                if (tail.find()) {
                    builder.add(
                            tail.group(1),
                            fields[0],
                            fields.length == 6
                                    ? String.join("|", List.of(fields).subList(1, 5)) + '|'
                                    : "");
                }
            }
        });
        return builder.listing();
    }

    private static final class Builder {
        private final List<Shown> shown = new ArrayList<>();
        private int marked;

        void add(String tag, String id, String body) {
            Matcher number = ID.matcher(id);
            Matcher parts = BODY.matcher(body);
            LrmsJob job = number.matches() && parts.matches()
                    ? SlurmState.job(
                            number.group(1), tag, parts.group(2), parts.group(3), parts.group(5), parts.group(4))
                    : null;
            shown.add(new Shown(tag, parts.matches() ? parts.group(1).strip() : "", job));
        }

        JobListing listing() {
            return new JobListing(List.copyOf(shown), marked);
        }
    }
}
