package org.gelato.ce.cli.arcrest;

import java.util.Map;

/**
 * The states of ARC REST by the names that the commands print and choose by, which are CREAM's. Several of ARC are one of those, as
 * CEs of ARC itself have more than Gelato.
 */
final class ArcStates {
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("ACCEPTING", "REGISTERED"),
            Map.entry("ACCEPTED", "PENDING"),
            Map.entry("PREPARING", "REGISTERED"),
            Map.entry("PREPARED", "PENDING"),
            Map.entry("SUBMITTING", "PENDING"),
            Map.entry("QUEUING", "IDLE"),
            Map.entry("RUNNING", "RUNNING"),
            Map.entry("HELD", "HELD"),
            Map.entry("EXITINGLRMS", "RUNNING"),
            Map.entry("OTHER", "RUNNING"),
            Map.entry("EXECUTED", "RUNNING"),
            Map.entry("FINISHING", "RUNNING"),
            Map.entry("KILLING", "RUNNING"),
            Map.entry("FINISHED", "DONE-OK"),
            Map.entry("FAILED", "DONE-FAILED"),
            Map.entry("KILLED", "CANCELLED"));

    private ArcStates() {}

    /** The name for one of ARC; a state that is not known keeps its own. */
    static String name(String arc) {
        return NAMES.getOrDefault(arc, arc);
    }
}
