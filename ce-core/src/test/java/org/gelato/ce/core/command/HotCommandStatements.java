package org.gelato.ce.core.command;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The hot statements of the queue with values put in, and the indexes each may read by. */
public final class HotCommandStatements {
    private HotCommandStatements() {}

    public static Map<String, List<String>> all() {
        Map<String, List<String>> all = new HashMap<>(Map.of(
                "lock to claim",
                List.of(CommandStore.LOCK_TO_CLAIM.replace("<kind>", "1").replace("<ids>", "1, 2, 3"), "PRIMARY"),
                "purge",
                List.of(OutcomeStore.DELETE_ENDED.replace("<ids>", "1, 2, 3"), "PRIMARY"),
                "claim",
                List.of(
                        CommandStore.DUE
                                .replace("<lanes>", "'control', 'hand-over fake', 'other', 'purge'")
                                .replace(":limit", "100"),
                        "command_due"),
                "claim of one lane",
                List.of(
                        CommandStore.DUE.replace("<lanes>", "'hand-over fake'").replace(":limit", "100"),
                        "command_due"),
                "put off and due again",
                List.of(CommandStore.DUE_AGAIN.replace(":now", "UTC_TIMESTAMP(6)"), "command_later"),
                "jobs waiting in the batch system",
                List.of(WaitingJobs.WAITING_IN_LRMS.replace(":lrms", "'fake'"), "queue_name|job_state"),
                "active commands of a job",
                List.of(CommandStore.ACTIVE.replace("<ids>", "1, 2"), "command_of_job"),
                "claims of a node",
                List.of(
                        CommandStore.RENEW_CLAIMS
                                .replace(":expires", "UTC_TIMESTAMP(6)")
                                .replace(":node", "1"),
                        "command_due"),
                "count of due commands",
                List.of(CommandStore.COUNT_DUE, "command_due")));
        all.put(
                "clock set back",
                List.of(
                        CommandStore.CLOCK_SET_BACK
                                .replace(":now", "UTC_TIMESTAMP(6)")
                                .replace(":back", "3600")
                                .replace(":latest", "UTC_TIMESTAMP(6) + INTERVAL 2 HOUR"),
                        "command_later"));
        all.put("jobs waiting in the batch system, by route", List.of(WaitingJobs.WAITING_BY_ROUTE, "job_state"));
        all.put("settings of routes", List.of(WaitingJobs.ROUTES.replace("<ids>", "1, 2, 3"), "PRIMARY"));
        all.put("claims that stand", List.of(OutcomeStore.STANDING.replace("<ids>", "1, 2, 3"), "PRIMARY"));
        all.put("suspended by a command", List.of(CommandStore.SUSPENDED.replace("<ids>", "1, 2"), "command_of_job"));
        all.put(
                "lanes of pauses",
                List.of(
                        LaneStore.NEXT_PAUSED.replace(":after", "'paused '").replace(":end", "'paused!'"),
                        "command_due"));
        all.put("sizes of lanes", List.of(CommandStore.WAITING_BY_LANE, "command_due"));
        all.put("claims that ran out", List.of(CommandStore.EXPIRE.replace(":now", "UTC_TIMESTAMP(6)"), "command_due"));
        all.put("claims of dead nodes", List.of(CommandStore.RELEASE_NODES.replace("<nodes>", "1, 2"), "command_due"));
        return all;
    }

    /** Updates of many rows, each with values of its own. */
    public static Map<String, String> sets() {
        String ends = "SELECT 1 AS id, 'x' AS reason, UTC_TIMESTAMP(6) AS at UNION ALL SELECT 2, NULL, NULL";
        String retries =
                "SELECT 1 AS id, 'x' AS reason, UTC_TIMESTAMP(6) AS at, 1 AS state, 0 AS uncounted, 1 AS claim, 1 AS job,"
                        + " 'purge' AS lane, 1 AS turn UNION ALL SELECT 2, NULL, NULL, 0, 1, 2, 1, 'control', NULL";
        return Map.of(
                "not handed over",
                OutcomeStore.NOT_HANDED_OVER.replace(
                        "<rows>", "SELECT 1 AS id, 1 AS claim, 1 AS job, 1 AS unsent UNION ALL SELECT 2, 1, 1, 0"),
                "finish and promote",
                OutcomeStore.FINISH_AND_PROMOTE
                        .replace("<jobs>", "1, 2")
                        .replace("<ids>", "1, 2")
                        .replace(":now", "UTC_TIMESTAMP(6)"),
                "fail",
                OutcomeStore.FAIL.replace("<rows>", ends),
                "retry",
                OutcomeStore.RETRY.replace("<rows>", retries),
                "handed over",
                OutcomeStore.HANDED_OVER.replace(
                        "<rows>",
                        "SELECT 1 AS id, 'x' AS lrms_id, UTC_TIMESTAMP(6) AS at UNION ALL SELECT 2, 'y', NULL"));
    }
}
