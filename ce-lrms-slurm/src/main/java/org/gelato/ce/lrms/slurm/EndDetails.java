package org.gelato.ce.lrms.slurm;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.LrmsJob;

/** What Slurm tells beside the state about a job that it ended. What can't be read is left out. Pure. */
final class EndDetails {
    private static final String OUT_OF_MEMORY = "OUT_OF_MEMORY";
    private static final Pattern MEMORY = Pattern.compile("(?:^|,)mem=([0-9]{1,9}(?:\\.[0-9]{1,3})?)([KMGT])(?:,|$)");
    /**
     * What slurmd's daemon of a step writes among the errors of the job: by its name, or by the time as of 26.05, which other programs may
     * write, too.
     */
    private static final Pattern OWN =
            Pattern.compile("(?:(?:slurmstepd|slurmd)(?:-[A-Za-z0-9._-]{1,64})?: (?:error: )?"
                    + "|\\[[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,15}] error: )(.+)");

    private static final Pattern EXCEEDED =
            Pattern.compile("StepId=\\S{1,40} exceeded memory limit \\(([0-9]{1,18}) > ([0-9]{1,18})\\).*");

    /** Of cgroups: {@code oom-kill event(s)} in 22.05, {@code oom_kill event} later. */
    private static final Pattern KILLED = Pattern.compile("Detected [0-9]{1,18} oom[-_]kill event.*");

    private static final Pattern NOTHING_ENDED = Pattern.compile("\\s*0(?::0)?\\s*");

    private EndDetails() {}

    /**
     * The same job with when it was ended, and with the limit of its memory where it exceeded that.
     *
     * @param time null where it is not known
     * @param resources that it had, {@code cpu=1,mem=500M,node=1}
     */
    static LrmsJob of(LrmsJob job, Instant time, String resources) {
        if (job.state() == LrmsJob.State.FAILED
                && job.reason() != null
                && job.reason().startsWith(OUT_OF_MEMORY)) {
            // The script may have gone on: this is when it ended, not when it was short of memory.
            return job.because(LrmsJob.OUT_OF_MEMORY
                    + limit(resources).map(limit -> " (limit " + limit + ")").orElse(""));
        }
        return job.endedAt(time);
    }

    /**
     * A job that squeue or the job completion log shows as cancelled, on a node and with the exit status of a script that nothing ended:
     * slurmd cancels a job that must not be requeued when its prolog fails.
     *
     * @param status wait(2)'s, or {@code exit:signal}
     */
    static LrmsJob ofStatus(LrmsJob job, String status) {
        return job.workerNode() != null && NOTHING_ENDED.matcher(status).matches() ? notBegun(job) : job;
    }

    /** The job whose script's step has no exit status. */
    static LrmsJob notBegun(LrmsJob job) {
        return job.state() == LrmsJob.State.CANCELLED
                ? job.because(LrmsJob.NOT_BEGUN + ": the node's prolog failed, or somebody cancelled it just then")
                : job;
    }

    /**
     * A job that sacct shows as cancelled by nobody: slurmctld ended what it does not know any more.
     *
     * @param word {@code CANCELLED by 1001} where somebody did
     */
    static LrmsJob ofSacct(LrmsJob job, String word) {
        return job.state() == LrmsJob.State.CANCELLED && word.strip().equals("CANCELLED")
                ? new LrmsJob(
                        job.lrmsId(),
                        job.tag(),
                        LrmsJob.State.FAILED,
                        null,
                        "CANCELLED by nobody: slurmctld lost the job, or ended it itself"
                                + (job.reason() == null ? "" : " (" + job.reason() + ")"),
                        job.workerNode())
                : job;
    }

    private static Optional<String> limit(String resources) {
        Matcher m = MEMORY.matcher(resources.strip());
        if (!m.find()) {
            return Optional.empty();
        }
        double mib = Double.parseDouble(m.group(1)) * Math.pow(1024, "KMGT".indexOf(m.group(2)) - 1);
        return Optional.of(Math.round(mib) + " MiB");
    }

    /** What a line of a job's error output has of Slurm's own words, without those that say no more than the state does. */
    static Optional<String> vendorMessage(String line) {
        String text = line.strip();
        Matcher own = OWN.matcher(text);
        if (!own.matches()) {
            return Optional.empty();
        }
        String words = own.group(1);
        if (KILLED.matcher(words).matches()) {
            return Optional.of(LrmsJob.OUT_OF_MEMORY);
        }
        Matcher exceeded = EXCEEDED.matcher(words);
        if (exceeded.matches()) {
            return Optional.of(LrmsJob.OUT_OF_MEMORY + " (limit " + mebibytes(exceeded.group(2)) + "), used "
                    + mebibytes(exceeded.group(1)));
        }
        boolean isTold = words.startsWith("*** ") || words.equals("Exceeded job memory limit");
        return isTold || text.startsWith("[") ? Optional.empty() : Optional.of(words);
    }

    private static String mebibytes(String bytes) {
        return (Long.parseLong(bytes) >> 20) + " MiB";
    }
}
