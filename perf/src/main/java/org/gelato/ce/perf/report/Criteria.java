package org.gelato.ce.perf.report;

import java.util.List;

/** The acceptance criteria of the transition to CREAM, what the report found, and which scenario shows it here. */
public final class Criteria {
    public record Row(String criterion, String published, String scenario) {}

    public static final List<Row> ROWS = List.of(
            new Row("D.ii: large peaks in the rate of submission", "not covered", "peak"),
            new Row("J: at least 5000 simultaneous jobs per CE node", "satisfied", "sustain"),
            new Row(
                    "K: users, roles and submission nodes without limit, from at least 50 VOs",
                    "not covered",
                    "many-users"),
            new Row("L: less than 0.1 % of the jobs fail because of the CE", "satisfied", "sustain, ramp-up"),
            new Row("M: less than 0.1 % fail because of a restart", "partially covered", "restart"),
            new Row(
                    "O: graceful failure or self-limiting at the load's maximum",
                    "partially covered, room for improvement",
                    "peak, drowning-lrms"));

    private Criteria() {}
}
