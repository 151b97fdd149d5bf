package org.gelato.ce.lrms.condor;

import static org.gelato.ce.lrms.condor.JobAd.Attribute.BY_SIGNAL;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.EXIT_CODE;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.HOLD_CODE;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.HOLD_REASON;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.HOLD_SUBCODE;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.HOST;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.LAST_HOLD_CODE;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.LAST_HOLD_REASON;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.LAST_HOLD_SUBCODE;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.LAST_HOST;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.LAST_STATUS;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.MEMORY;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.OWNER;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.REMOVE_REASON;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.SIGNAL;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.SINCE;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.STARTS;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.STATUS;
import static org.gelato.ce.lrms.condor.JobAd.Attribute.SUBMITTED;

import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.lrms.ExitCodes;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;

/** A job of HTCondor's in the CE's terms (docs/developer/protocol/lrms.md). Pure. */
final class CondorState {
    static final int IDLE = 1;
    static final int RUNNING = 2;
    static final int REMOVED = 3;
    static final int COMPLETED = 4;
    static final int HELD = 5;
    private static final int TRANSFERRING_OUTPUT = 6;
    static final int SUSPENDED = 7;

    /**
     * Holds by HTCondor itself of a job that cannot run, or may not run on: program, files or directory missing, output not moved, over its
     * memory or its time. One that has not run may still be released, by the site's policy too, and run: it has ended when it is removed.
     */
    static final Set<Integer> ENDS = Set.of(6, 7, 8, 12, 13, 14, 34, 46, 47);

    private static final int BY_JOB_POLICY = 3;
    private static final int OVER_MEMORY = 34;
    static final String RAN = "HTCondor evicted the job after it had started, or lost its node";
    private static final String SUSPENDED_WORDS = "SUSPENDED";
    /** Who removed a job stands behind the reason that was given, or HTCondor's own; no policy has that end. */
    private static final Pattern BY_SOMEBODY = Pattern.compile("\\(by user [^()]+\\)\\s*$");

    private static final String WITHOUT_REASON = "via condor_rm ";

    private static final int LONGEST_REASON = 1000;

    private CondorState() {}

    /** The job; null where its id or its state cannot be read. */
    static LrmsJob of(JobAd ad) {
        String lrmsId = ad.id();
        Integer status = ad.number(STATUS);
        String tag = ad.tag();
        if (lrmsId == null || status == null) {
            return null;
        }
        // the schedd moves it from the one to the other, and adds up the usage, a while after a shadow has ended the
        // job
        boolean settled = ad.host(HOST) == null;
        String node = ad.host(settled ? LAST_HOST : HOST);
        LrmsJob job = switch (status) {
            case IDLE ->
                hasRun(ad) ? ran(lrmsId, tag, node, RAN) : new LrmsJob(lrmsId, tag, State.QUEUED, null, null, null);
            case RUNNING, TRANSFERRING_OUTPUT -> new LrmsJob(lrmsId, tag, State.RUNNING, null, null, node);
            case SUSPENDED ->
                // without a node it would count as in the queue
                new LrmsJob(lrmsId, tag, State.HELD, null, SUSPENDED_WORDS, node == null ? "unknown" : node);
            case COMPLETED -> new LrmsJob(lrmsId, tag, State.DONE, exit(ad), null, node);
            case REMOVED -> removed(ad, lrmsId, tag, node);
            case HELD ->
                isOver(ad)
                        ? failed(ad, lrmsId, tag, node, ad.number(HOLD_CODE), ad.text(HOLD_REASON))
                        : new LrmsJob(lrmsId, tag, State.HELD, null, holdReason(ad), null);
            default -> null;
        };
        if (job != null && tag == null) {
            job = job.submitted(
                    new LrmsJob.Submitted(Objects.requireNonNullElse(ad.text(OWNER), ""), ad.time(SUBMITTED)));
        }
        return job == null
                ? null
                : job.using(settled ? CondorUsage.of(ad) : null).endedAt(isLater(ad, job) ? null : ad.time(SINCE));
    }

    /** Whether the job had ended by a hold before it was removed, so that its status says no more since when. */
    private static boolean isLater(JobAd ad, LrmsJob job) {
        Integer last = ad.number(LAST_STATUS);
        return job.state() == State.FAILED && ad.number(STATUS) == REMOVED && last != null && last == HELD;
    }

    private static LrmsJob removed(JobAd ad, String id, String tag, String host) {
        Integer last = ad.number(LAST_STATUS);
        if (last != null && last == COMPLETED) {
            // it had ended, and was taken out of the queue
            return new LrmsJob(id, tag, State.DONE, exit(ad), null, host);
        }
        if (last != null && last == IDLE && hasRun(ad)) {
            return ran(id, tag, host, RAN);
        }
        Integer code = first(ad.number(HOLD_CODE), ad.number(LAST_HOLD_CODE));
        Integer subcode = first(ad.number(HOLD_SUBCODE), ad.number(LAST_HOLD_SUBCODE));
        String reason = ad.text(REMOVE_REASON) == null ? "removed" : ad.text(REMOVE_REASON);
        boolean bySomebody = BY_SOMEBODY.matcher(reason).find();
        if (last != null && last == HELD && (hasRun(ad) || (isEnd(code, subcode) && !bySomebody))) {
            String text = ad.text(HOLD_REASON) == null ? ad.text(LAST_HOLD_REASON) : ad.text(HOLD_REASON);
            return failed(ad, id, tag, host, code, text);
        }
        return new LrmsJob(
                id,
                tag,
                bySomebody ? State.CANCELLED : State.FAILED,
                null,
                bySomebody && !reason.startsWith(WITHOUT_REASON)
                        ? LrmsJob.CANCELLED_BECAUSE + words(reason)
                        : words(reason),
                host);
    }

    private static Integer first(Integer a, Integer b) {
        return a == null ? b : a;
    }

    /** Whether HTCondor holds the job instead of ending it. */
    private static boolean isEnd(Integer code, Integer subcode) {
        return code != null
                && (ENDS.contains(code)
                        || (code == BY_JOB_POLICY && subcode != null && subcode == RequestLines.OVER_CPU_TIME));
    }

    /** Whether it waits or is held in the queue though it ran, and is never started again: it will be removed. */
    static boolean isOver(JobAd ad) {
        Integer status = ad.number(STATUS);
        return status != null && (status == IDLE || status == HELD) && hasRun(ad);
    }

    /** A failure by HTCondor's word, or the end of a run of which its wrapper knows more. */
    private static LrmsJob failed(JobAd ad, String id, String tag, String host, Integer code, String reason) {
        return isEnd(code, first(ad.number(HOLD_SUBCODE), ad.number(LAST_HOLD_SUBCODE)))
                ? new LrmsJob(id, tag, State.FAILED, null, failure(ad, code, reason), host)
                : ran(id, tag, host, failure(ad, code, reason));
    }

    /** A job whose run is over, how HTCondor does not say: it may have ended well while the schedd was away. */
    private static LrmsJob ran(String id, String tag, String host, String reason) {
        return new LrmsJob(id, tag, State.DONE, null, reason, host);
    }

    private static boolean hasRun(JobAd ad) {
        Integer starts = ad.number(STARTS);
        return starts != null && starts > 0;
    }

    private static Integer exit(JobAd ad) {
        if (ad.isTrue(BY_SIGNAL)) {
            Integer signal = ad.number(SIGNAL);
            return signal == null ? null : ExitCodes.ofSignal(signal);
        }
        Integer code = ad.number(EXIT_CODE);
        return code == null ? null : ExitCodes.ofCode(code);
    }

    private static String failure(JobAd ad, Integer code, String reason) {
        if (code != null && code == OVER_MEMORY) {
            Integer limit = ad.number(MEMORY);
            return LrmsJob.OUT_OF_MEMORY + (limit == null ? "" : " (limit " + limit + " MiB)");
        }
        return reason == null ? "held by HTCondor, code " + code : words(reason) + " (hold code " + code + ")";
    }

    private static String holdReason(JobAd ad) {
        String reason = ad.text(HOLD_REASON) == null ? "held" : words(ad.text(HOLD_REASON));
        Integer code = ad.number(HOLD_CODE);
        return code == null ? reason : reason + " (hold code " + code + ")";
    }

    private static String words(String text) {
        return Messages.line(text, LONGEST_REASON);
    }
}
