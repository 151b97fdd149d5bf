package org.gelato.ce.core.service;

import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.admission.Drain;
import org.gelato.ce.core.identity.Ban;
import org.gelato.ce.core.identity.Caller;

/**
 * What administrators close and whom they ban, on all nodes and over restarts. Any thread. All but the lists throw {@link
 * org.gelato.ce.core.fault.ServiceException.NotAuthorized} for a caller who is no administrator, and {@link
 * IllegalArgumentException}, with a text for the administrator, for arguments that cannot be used.
 */
public interface SiteControl {
    /**
     * The jobs of a part.
     *
     * @param registered not started by their users, who still may
     * @param queued started, and not running
     * @param lastEnd when the last running job ends at the latest; null when none runs or a queue's limit is not known
     */
    record Load(long registered, long queued, long running, Instant lastEnd) {}

    /**
     * A ban that was made.
     *
     * @param jobs that have not ended, of whom it concerns
     * @param cancelled of these, by this call
     */
    record Banned(Ban ban, long jobs, long cancelled) {}

    /**
     * Closes a part for new jobs.
     *
     * @param name null for the whole CE
     */
    Load drain(Caller caller, Drain.Part part, String name, String reason);

    /** Opens a part. @return whether it was drained */
    boolean enable(Caller caller, Drain.Part part, String name);

    /** The jobs of a part, drained or not. */
    Load load(Drain.Part part, String name);

    /** All that is drained. */
    List<Drain> drains();

    /**
     * Bans.
     *
     * @param cancel whether the jobs of whom it concerns are cancelled; by DN and primary FQAN, the only one a job knows
     * @param force whether the caller may ban himself
     */
    Banned ban(Caller caller, Ban.Kind kind, String name, String reason, boolean cancel, boolean force);

    /** Ends a ban. @return whether there was one */
    boolean unban(Caller caller, Ban.Kind kind, String name);

    /** All bans that hold. */
    List<Ban> bans();
}
