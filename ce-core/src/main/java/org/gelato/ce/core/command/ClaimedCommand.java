package org.gelato.ce.core.command;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobRow;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.json.RouteSettings;

/**
 * A command this node has claimed, with all that its execution needs, so that nothing is read again.
 *
 * @param id row number of the command
 * @param tries executions begun, this one included, without those that did not count
 * @param lane in which it was claimed: that of its kind, or of a pause or limit
 * @param claim its fencing token (docs/developer/decisions/0048)
 * @param job the job's row at the time of the claim; for JOB_START its attempt is the one to submit with
 * @param lookUpFirst whether an earlier hand-over may have gone through
 * @param proxyFile of the job's delegation; null without one
 * @param proxyEnd notAfter of that proxy; null without one
 * @param fromIce whether an instance of the WMS registered the job
 * @param route what the site's routes gave the job when it was registered
 * @param language the text is written in
 * @param text the stored description; null but for JOB_START, and for a long one until it is needed
 */
public record ClaimedCommand(
        long id,
        CommandKind kind,
        String lane,
        int tries,
        int claim,
        JobRow job,
        JobId jobId,
        boolean lookUpFirst,
        String account,
        String lrms,
        String queue,
        Owner owner,
        Path proxyFile,
        Instant proxyEnd,
        boolean fromIce,
        RouteRow route,
        int language,
        String text) {
    /**
     * Settings of routes as they are stored, which are read with the description.
     *
     * @param id row of them; 0 for none
     * @param content as of {@link RouteSettings#text}; null for none
     */
    public record RouteRow(int id, String content) {
        /** Of a job that no route matches. */
        public static final RouteRow NONE = new RouteRow(0, null);

        /** @throws IllegalArgumentException when somebody else has written into the row */
        RouteSettings settings() {
            return RouteSettings.parse(content);
        }
    }

    /** The same in the row that it was given, under the number of its claim. */
    ClaimedCommand claimed(long row, int number) {
        return of(row, number, job, text);
    }

    /** The same with the job as it stands now. */
    public ClaimedCommand withJob(JobRow row) {
        return of(id, claim, row, text);
    }

    /** The same with its description. */
    ClaimedCommand withText(String read) {
        return of(id, claim, job, read);
    }

    private ClaimedCommand of(long number, int claimNumber, JobRow row, String read) {
        return new ClaimedCommand(
                number,
                kind,
                lane,
                tries,
                claimNumber,
                row,
                jobId,
                lookUpFirst,
                account,
                lrms,
                queue,
                owner,
                proxyFile,
                proxyEnd,
                fromIce,
                route,
                language,
                read);
    }

    /** Whether it is the same claim of the same command. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ClaimedCommand c && id == c.id && claim == c.claim && job.id() == c.job.id();
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, claim);
    }

    /** For log lines: never the JDL. */
    @Override
    public String toString() {
        return kind + " of " + jobId + " (command " + id + ", try " + tries + ")";
    }

    /** A job's description and what to do with it belong together from here on. */
    record Start(ClaimedCommand command, JobRequest request) {}
}
