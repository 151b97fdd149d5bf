package org.gelato.ce.blahbridge.blahp;

import java.util.regex.Pattern;
import org.gelato.ce.core.job.BatchId;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * The id blahpd gives a job, which goes back to it as it came: {@code <lrms>/<yyyymmdd>/<batch id>}, or HTCondor's
 * {@code condor/<cluster>/<schedd>/<pool>}, of which the last two may be empty (docs/developer/protocol/blah-protocol.md section 3). The
 * first part selects scripts. Pure.
 */
final class BlahJobId {
    /** Which scripts of blahpd's have ids of HTCondor's form. */
    private static final String CONDOR = "condor";

    /** What HTCondor may call a schedd. */
    static final String SCHEDD = "[A-Za-z0-9][A-Za-z0-9._@:-]{0,254}";

    private static final Pattern BATCH_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@#\\[\\]-]{0,268}");
    private static final Pattern DATED = Pattern.compile("[a-z0-9_]{1,16}/[^/\\s]{1,40}/" + BATCH_ID.pattern());
    private static final Pattern CLUSTER = Pattern.compile("[0-9]{1,15}(\\.[0-9]{1,9})?");
    private static final Pattern HTCONDOR =
            Pattern.compile(CONDOR + "/[0-9]{1,15}/(" + SCHEDD + ")?/(" + SCHEDD + ")?");

    private BlahJobId() {}

    /** Whether this is one. */
    static boolean is(String text) {
        return DATED.matcher(text).matches() || HTCONDOR.matcher(text).matches();
    }

    /** Whether jobs of these scripts have HTCondor's form. */
    static boolean isCondor(String gridType) {
        return gridType.equals(CONDOR);
    }

    /** Whether it is of HTCondor's form. */
    static boolean isOfCondor(String id) {
        return HTCONDOR.matcher(id).matches();
    }

    /**
     * One for a batch id of which nothing else is known; null when it is no batch id.
     *
     * @param day of the hand-over, {@code yyyymmdd}
     * @param schedd that jobs are handed to; empty for HTCondor's default, or where it is not HTCondor
     */
    static String of(String gridType, String day, String schedd, String batchId) {
        if (isCondor(gridType)) {
            return CLUSTER.matcher(batchId).matches() ? gridType + "/" + number(batchId) + "/" + schedd + "/" : null;
        }
        return BATCH_ID.matcher(batchId).matches() ? gridType + "/" + day + "/" + batchId : null;
    }

    /** At most as long as the CE keeps: without the server's name when it is too long, which every batch system understands. */
    static String cut(String id) {
        if (id.length() <= LrmsJob.LONGEST_ID) {
            return id;
        }
        int dot = isOfCondor(id) ? -1 : id.indexOf('.', id.lastIndexOf('/'));
        return dot > 0 && dot <= LrmsJob.LONGEST_ID ? id.substring(0, dot) : null;
    }

    /** Whether both name one batch job, with or without the name of its server. */
    static boolean isSame(String one, String other) {
        return number(one).equals(number(other));
    }

    private static String number(String id) {
        String batchId = BatchId.own(id);
        int dot = batchId.indexOf('.');
        return dot > 0 ? batchId.substring(0, dot) : batchId;
    }
}
