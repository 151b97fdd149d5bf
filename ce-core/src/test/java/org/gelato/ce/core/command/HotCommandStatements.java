package org.gelato.ce.core.command;

import java.util.List;
import java.util.Map;

/** The hot statements of the queue with values put in, and the indexes each may read by. */
public final class HotCommandStatements {
    private HotCommandStatements() {}

    public static Map<String, List<String>> all() {
        return Map.of(
                "claim",
                List.of(CommandStore.DUE.replace(":now", "UTC_TIMESTAMP(6)").replace(":limit", "100"), "command_due"),
                "active commands of a job",
                List.of(CommandStore.ACTIVE.replace("<ids>", "1, 2"), "command_job"),
                "claims of a node",
                List.of(
                        CommandStore.RENEW_CLAIMS
                                .replace(":expires", "UTC_TIMESTAMP(6)")
                                .replace(":node", "1"),
                        "command_node|command_claims|command_due"),
                "count of due commands",
                List.of(CommandStore.COUNT_DUE, "command_due|command_claims"));
    }
}
