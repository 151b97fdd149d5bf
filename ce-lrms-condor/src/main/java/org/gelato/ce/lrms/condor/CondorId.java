package org.gelato.ce.lrms.condor;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An id of a job as the CE keeps it: {@code CLUSTER.PROC#ROUND}. A schedd whose queue was made anew counts from 1 again; the round, a
 * random number that the jobs of one hand-over carry, is never the same. Pure.
 *
 * @param number {@code CLUSTER.PROC}
 */
record CondorId(String number, String round) {
    static final char MARK = '#';

    static final Pattern NUMBER_FORM = Pattern.compile("[0-9]{1,10}\\.[0-9]{1,10}");
    static final Pattern FORM = Pattern.compile("(" + NUMBER_FORM.pattern() + ")#([0-9a-f]{12})");

    static Optional<CondorId> of(String text) {
        Matcher m = FORM.matcher(text);
        return m.matches() ? Optional.of(new CondorId(m.group(1), m.group(2))) : Optional.empty();
    }

    /** HTCondor's own expression for its number, and for all of it. */
    static final String NUMBER = "strcat(ClusterId,\".\",ProcId)";

    static final String EXPRESSION = "strcat(ClusterId,\".\",ProcId,\"#\"," + SubmitDescription.ROUND + ")";

    @Override
    public String toString() {
        return number + MARK + round;
    }
}
