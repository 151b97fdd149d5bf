package org.gelato.ce.lrms.torque;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.lrms.LocalTimes;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;

/**
 * One job of a qstat listing, by Torque's attribute names; the id is {@link #ID}. Only attributes that are used are kept.
 * Pure.
 */
record JobFields(Map<String, String> values) {
    static final String ID = "Job_Id";
    static final String NAME = "Job_Name";
    static final String STATE = "job_state";
    /** Has attributes of its own, which are named after it and a dot. */
    static final String RESOURCES = "resources_used";

    private static final String ARGUMENTS = "submit_args";
    private static final String DIRECTORY = "init_work_dir";
    private static final String CREATED = "ctime";
    /** What Slurm's qstat has of the same. */
    private static final String QUEUED = "qtime";

    private static final String CPU = RESOURCES + ".cput";
    private static final String WALL = RESOURCES + ".walltime";
    private static final String MEMORY = RESOURCES + ".mem";
    /** All that is read from a listing. */
    static final Set<String> USED = Set.of(
            ID,
            NAME,
            STATE,
            "Job_Owner",
            "exec_host",
            "exit_status",
            "start_time",
            "comp_time",
            "Priority",
            "Hold_Types",
            "comment",
            "sched_hint",
            ARGUMENTS,
            DIRECTORY,
            CREATED,
            QUEUED,
            CPU,
            WALL,
            MEMORY);

    private static final Pattern TAG = Pattern.compile("cream_[0-9]{9}");
    /** The file that qsub took, whose name is the tag. */
    private static final Pattern SUBMITTED = Pattern.compile("(?:\\S*/)?(" + TAG + ")");

    private static final Pattern JOB_ID = Pattern.compile("[0-9]{1,15}(\\.[A-Za-z0-9][A-Za-z0-9._-]*)?");
    private static final Pattern STATUS = Pattern.compile("-?[0-9]{1,9}");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,11}");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ROOT);
    private static final int LONGEST_HOST = 255;

    /** Whether the job is one that the CE submitted, or has a name as the CE gives them. */
    boolean ours() {
        return TAG.matcher(tag()).matches();
    }

    String id() {
        return get(ID);
    }

    /**
     * From the arguments of qsub or from its directory, where they are shown: the site's filter and the job itself, too, may change its name.
     * Else the name, whatever it is.
     */
    String tag() {
        Matcher submitted = SUBMITTED.matcher(get(ARGUMENTS).strip());
        return submitted.matches()
                ? submitted.group(1)
                : JobId.parse(get(DIRECTORY).strip()).map(JobId::tag).orElseGet(() -> get(NAME));
    }

    String state() {
        return get(STATE);
    }

    /** Account that submitted the job; empty when it is not shown. */
    String owner() {
        String owner = get("Job_Owner");
        int at = owner.indexOf('@');
        return at < 0 ? owner : owner.substring(0, at);
    }

    /** Whether the id is one that Torque gives and the CE keeps. */
    boolean hasId() {
        return id().length() <= LrmsJob.LONGEST_ID && JOB_ID.matcher(id()).matches();
    }

    /** @return null when the id cannot be parsed; without a tag where it has none of ours */
    LrmsJob job(boolean slurm) {
        if (!hasId()) {
            return null;
        }
        LrmsJob job = inState(slurm);
        Instant at = time(get(CREATED).isEmpty() ? get(QUEUED) : get(CREATED));
        return ours() ? job : job.named(null).submitted(new LrmsJob.Submitted(owner(), at));
    }

    private LrmsJob inState(boolean slurm) {
        return switch (state()) {
            // how Slurm's qstat shows a held job
            case "Q" -> slurm && get("Priority").equals("0") ? of(State.HELD, "held") : of(State.QUEUED, comment());
            case "T" -> of(State.QUEUED, null);
            case "H" -> of(State.HELD, held());
            case "W" -> of(State.HELD, waiting());
            // suspended by an operator: the job is still on its node
            case "R", "E", "S" -> of(State.RUNNING, null);
            // Slurm's qstat shows the number of cores in the place of the slots
            case "C" ->
                ended(slurm)
                        .using(TorqueUsage.of(get(CPU), get(WALL), get(MEMORY), slurm ? "" : get("exec_host")))
                        .endedAt(time(get("comp_time")));
            default -> of(State.UNKNOWN, "in the state " + TorqueMessages.brief(state()));
        };
    }

    private String held() {
        String types = get("Hold_Types");
        String comment = comment();
        return (types.isEmpty() || types.equals("n") ? "held" : "held (" + TorqueMessages.brief(types) + ")")
                + (comment == null ? "" : ": " + comment);
    }

    /** The scheduler's words, or those of the user; null when there are none. */
    private String comment() {
        String comment = TorqueMessages.brief(get("comment"));
        return comment.isEmpty() ? null : comment;
    }

    private String waiting() {
        String comment = comment();
        return "waiting for its time: stage-in failed, Torque tries again in half an hour"
                + (comment == null ? "" : " (" + comment + ")");
    }

    private LrmsJob ended(boolean slurm) {
        String status = get("exit_status");
        String hint = TorqueMessages.brief(get("sched_hint"));
        if (STATUS.matcher(status).matches()) {
            JobEnd end = JobEnd.of(Integer.parseInt(status));
            String reason = end.reason() == null ? hint : end.reason();
            return new LrmsJob(
                    id(),
                    tag(),
                    end.state(),
                    end.exitCode(),
                    reason == null || reason.isEmpty() ? null : reason,
                    host());
        }
        boolean ran = slurm ? !get("exec_host").isEmpty() : !get("start_time").isEmpty();
        return ran ? of(State.DONE, hint.isEmpty() ? null : hint) : of(State.CANCELLED, "deleted before it ran");
    }

    /** In XML seconds, else in the time zone of this host, which is taken for the server's; null where it is not known. */
    private static Instant time(String text) {
        String time = text.strip();
        return SECONDS.matcher(time).matches()
                ? Instant.ofEpochSecond(Long.parseLong(time))
                : time.isEmpty() ? null : LocalTimes.ofHost(TIME).parse(time.replaceAll(" +", " "));
    }

    private LrmsJob of(State state, String reason) {
        boolean waits = state == State.QUEUED || state == State.HELD;
        return new LrmsJob(id(), tag(), state, null, reason, waits ? null : host());
    }

    /** The first node; null before the job ran. */
    private String host() {
        String hosts = get("exec_host");
        int end = 0;
        while (end < hosts.length() && "/+, ".indexOf(hosts.charAt(end)) < 0) {
            end++;
        }
        String host = TorqueMessages.brief(hosts.substring(0, Math.min(end, LONGEST_HOST)));
        return host.isEmpty() ? null : host;
    }

    private String get(String name) {
        return values.getOrDefault(name, "");
    }
}
