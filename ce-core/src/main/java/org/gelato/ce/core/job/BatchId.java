package org.gelato.ce.core.job;

/** Ids of batch systems. Pure. */
public final class BatchId {
    private BatchId() {}

    /**
     * The batch system's own part of an id. A blahpd has the kind and the day before it, {@code lsf/20260331/17}, or for HTCondor the kind
     * before it, schedd and pool behind it, {@code condor/17/schedd/}. Others are returned as they are.
     */
    public static String own(String id) {
        String[] parts = id.split("/", -1);
        return parts.length == 4 ? parts[1] : parts[parts.length - 1];
    }
}
