package org.gelato.ce.blahbridge.blahp;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.gelato.ce.core.lrms.LrmsJob;

/**
 * The id blahpd gives a job, {@code <lrms>/<yyyymmdd>/<batch id>} (docs/developer/protocol/blah-protocol.md section 3). The first
 * part selects scripts, the last is the batch system's own id, the middle one only dates it. Pure.
 */
final class BlahJobId {
    private static final Pattern BATCH_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@#\\[\\]-]{0,268}");
    private static final Pattern WHOLE = Pattern.compile("[a-z0-9_]{1,16}/[^/\\s]{1,40}/" + BATCH_ID.pattern());

    private BlahJobId() {}

    /** Whether this is one. */
    static boolean is(String text) {
        return WHOLE.matcher(text).matches();
    }

    /** Whether a batch system may call a job so. */
    static boolean isBatchId(String text) {
        return BATCH_ID.matcher(text).matches();
    }

    /** One for a batch id of which nothing else is known; null when it is no batch id. */
    static String of(String gridType, Instant day, String batchId) {
        return isBatchId(batchId)
                ? gridType + "/"
                        + DateTimeFormatter.BASIC_ISO_DATE
                                .withZone(ZoneOffset.UTC)
                                .format(day)
                                .substring(0, 8) + "/"
                        + batchId
                : null;
    }

    /** The batch system's own id. */
    static String batchId(String id) {
        return id.substring(id.lastIndexOf('/') + 1);
    }

    /** At most as long as the CE keeps: without the server's name when it is too long, which every batch system understands. */
    static String cut(String id) {
        if (id.length() <= LrmsJob.LONGEST_ID) {
            return id;
        }
        int dot = id.indexOf('.', id.lastIndexOf('/'));
        return dot > 0 && dot <= LrmsJob.LONGEST_ID ? id.substring(0, dot) : null;
    }

    /** Whether both name one batch job, with or without the name of its server. */
    static boolean isSame(String one, String other) {
        return number(one).equals(number(other));
    }

    private static String number(String id) {
        String batchId = batchId(id);
        int dot = batchId.indexOf('.');
        return dot > 0 ? batchId.substring(0, dot) : batchId;
    }
}
