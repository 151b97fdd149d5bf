package org.gelato.ce.lrms.torque;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.job.Usage;
import org.gelato.ce.core.lrms.LocalTimes;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;

/**
 * One line of Torque's accounting log: {@code MM/DD/YYYY HH:MM:SS;T;id;key=value …}. Only start and end records contain
 * the job's name and owner. Pure.
 *
 * @param type Q queued, S started, E ended, D deleted, A aborted by the server, R started again
 * @param tag null where the record does not contain it, or the job is none of the CE's
 * @param owner null where the record does not contain it
 * @param exitStatus null but of an end
 * @param workerNode null where the record does not contain it
 * @param named whether the record contains a name at all
 * @param usage null but of an end
 * @param at by the server's clock; null where it is not known, as only ends and starts have seconds since 1970: other records have local
 *     times, which are taken for those of this host
 */
record AccountingRecord(
        char type,
        String id,
        String tag,
        String owner,
        Integer exitStatus,
        String workerNode,
        boolean named,
        Usage usage,
        Instant at) {
    private static final Pattern LINE = Pattern.compile(
            "([0-9]{2}/[0-9]{2}/[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2});([A-Z]);([0-9]{1,15}\\.[A-Za-z0-9._-]{1,250});(.*)");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ROOT);
    private static final Pattern TAG = Pattern.compile("cream_[0-9]{9}");
    private static final Pattern STATUS = Pattern.compile("-?[0-9]{1,9}");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,11}");
    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9._-]{1,255}).*");

    /** Empty for a line that is no record of a job. */
    static Optional<AccountingRecord> parse(String line) {
        Matcher m = LINE.matcher(line);
        if (!m.matches()) {
            return Optional.empty();
        }
        String rest = m.group(4);
        String name = value(rest, "jobname");
        String status = value(rest, "Exit_status");
        Matcher host = HOST.matcher(value(rest, "exec_host"));
        String user = value(rest, "user");
        return Optional.of(new AccountingRecord(
                m.group(2).charAt(0),
                m.group(3),
                TAG.matcher(name).matches() ? name : null,
                user.isEmpty() ? null : user,
                STATUS.matcher(status).matches() ? Integer.valueOf(status) : null,
                host.matches() ? host.group(1) : null,
                !name.isEmpty(),
                m.group(2).equals("E") ? usage(rest) : null,
                time(m.group(2), rest, m.group(1))));
    }

    private static Instant time(String type, String rest, String local) {
        String seconds = type.equals("E") ? last(rest, "end") : type.equals("S") ? value(rest, "start") : "";
        return SECONDS.matcher(seconds).matches()
                ? Instant.ofEpochSecond(Long.parseLong(seconds))
                : LocalTimes.ofHost(TIME).parse(local);
    }

    private static Usage usage(String rest) {
        return TorqueUsage.of(
                        last(rest, "resources_used.cput"),
                        last(rest, "resources_used.walltime"),
                        last(rest, "resources_used.mem"),
                        value(rest, "exec_host"))
                .orNull();
    }

    /** The last one counts: the server writes what was used at the end of the line. */
    private static String last(String text, String key) {
        int at = text.lastIndexOf(' ' + key + '=');
        return at < 0 ? "" : value(text.substring(at + 1), key);
    }

    /** The first one counts: what a user can fill (account, names of resources) comes after what the server writes. */
    private static String value(String text, String key) {
        int at = text.startsWith(key + "=") ? 0 : text.indexOf(' ' + key + '=') + 1;
        if (at == 0 && !text.startsWith(key + "=")) {
            return "";
        }
        int from = at + key.length() + 1;
        int to = text.indexOf(' ', from);
        return text.substring(from, to < 0 ? text.length() : to);
    }

    /**
     * This record under the tag that an earlier record of the job has: a job's name can be changed. One of another owner is of
     * another job: a server that lost its jobs gives their ids again.
     *
     * @param known what was known before; null for nothing
     */
    AccountingRecord under(AccountedJob known) {
        boolean renamed = named && tag == null && known != null && known.tag() != null;
        return renamed && owner != null && owner.equals(known.owner())
                ? new AccountingRecord(type, id, known.tag(), owner, exitStatus, workerNode, true, usage, at)
                : this;
    }

    /**
     * What is known of a job after this record.
     *
     * @param known what was known before; null for nothing
     */
    AccountedJob after(AccountedJob known) {
        AccountedJob job = known == null ? AccountedJob.unknown(id) : known;
        if (tag != null) {
            job = job.named(tag, owner, workerNode);
        }
        AccountedJob then = switch (type) {
            case 'S' -> job.in(State.RUNNING, null, null);
            case 'R' -> job.in(State.QUEUED, null, null);
            case 'D' -> job.in(State.CANCELLED, null, "deleted");
            case 'A' -> job.in(State.FAILED, null, "aborted by the server");
            case 'E' -> ended(job);
            default -> job;
        };
        // The first one counts: of a deleted job the end is when its wrapper had tidied up.
        return then.endedAt() == null && then.state() != job.state() ? then.endedAt(at) : then;
    }

    private AccountedJob ended(AccountedJob before) {
        AccountedJob job = before.using(usage);
        if (job.state() == State.CANCELLED) {
            return job;
        }
        if (exitStatus == null) {
            return job.in(State.DONE, null, null);
        }
        JobEnd end = JobEnd.of(exitStatus);
        return job.in(end.state(), end.exitCode(), end.reason());
    }

    /**
     * A job as the accounting log records it.
     *
     * @param tag null before a record contained it
     * @param owner null before a record contained it
     * @param workerNode null before a record contained it
     * @param usage null before the end
     * @param endedAt when its present state began, first of all when it was deleted or ended; null before
     */
    record AccountedJob(
            String id,
            String tag,
            String owner,
            String workerNode,
            State state,
            Integer exitCode,
            String reason,
            Usage usage,
            Instant endedAt) {
        static AccountedJob unknown(String id) {
            return new AccountedJob(id, null, null, null, State.QUEUED, null, null, null, null);
        }

        AccountedJob named(String newTag, String newOwner, String node) {
            return new AccountedJob(
                    id, newTag, newOwner, node == null ? workerNode : node, state, exitCode, reason, usage, endedAt);
        }

        AccountedJob in(State newState, Integer code, String message) {
            return new AccountedJob(
                    id, tag, owner, workerNode, newState, code, message, usage, newState.isEnd() ? endedAt : null);
        }

        AccountedJob using(Usage used) {
            return new AccountedJob(id, tag, owner, workerNode, state, exitCode, reason, used, endedAt);
        }

        AccountedJob endedAt(Instant at) {
            return new AccountedJob(id, tag, owner, workerNode, state, exitCode, reason, usage, at);
        }

        LrmsJob job(String tagToLookUp) {
            return new LrmsJob(id, tagToLookUp, state, exitCode, reason, workerNode)
                    .using(usage)
                    .endedAt(endedAt);
        }
    }
}
