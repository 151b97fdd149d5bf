package org.gelato.ce.core.job;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.core.db.ValueRows;
import org.gelato.ce.core.intake.FenceStore;
import org.gelato.ce.core.intake.ReportedEnds;
import org.gelato.ce.core.intake.SpoolHomes;
import org.gelato.ce.core.sandbox.StoredSandboxes;
import org.gelato.ce.core.sandbox.StoredUploads;
import org.gelato.ce.core.service.JobCommands;
import org.gelato.ce.core.service.JobQueries;
import org.gelato.ce.core.service.RegisterKeyStore;
import org.gelato.ce.core.sweep.JobPurger;

/** The hot statements of jobs with values put in, and the indexes each may read by. */
public final class HotJobStatements {
    private HotJobStatements() {}

    public static Map<String, List<String>> all() {
        Map<String, List<String>> all = new HashMap<>(Map.of(
                "status by id",
                List.of(JobStore.BY_ID.replace("<ids>", "1, 2, 3"), "PRIMARY"),
                "lock",
                List.of(JobStore.LOCK.replace("<ids>", "1, 2, 3"), "PRIMARY"),
                "list",
                List.of(JobStore.IDS_OF_OWNER.replace(":owner", "1").replace("<states>", "0, 1, 2, 3"), "job_owner"),
                "count of active jobs",
                List.of(JobStore.COUNT_ACTIVE, "job_state"),
                "history",
                List.of(JobQueries.HISTORY.replace("<ids>", "1, 2, 3"), "job_state_history_job"),
                "jobs to purge",
                List.of(
                        JobPurger.OLD
                                .replace(":state", "7")
                                .replace(":from", "'2020-01-01'")
                                .replace(":after", "5")
                                .replace(":before", "'2030-01-01'")
                                .replace(":limit", "1000"),
                        "job_state"),
                "deferred purges of ended jobs",
                List.of(DeferredPurges.ENDED.replace(":after", "5").replace(":limit", "1000"), "PRIMARY"),
                "jobs of a delegation",
                List.of(JobCommands.OF_DELEGATION.replace(":delegation", "5"), "job_of_delegation"),
                "a job's sandbox",
                List.of(StoredSandboxes.SANDBOX.replace(":id", "1"), "PRIMARY")));
        all.put(
                "jobs by name and label",
                List.of(
                        LabelStore.statement(2)
                                .replace(":owner", "1")
                                .replace(":name0", "''")
                                .replace(":value0", "'j7'")
                                .replace(":name1", "'run'")
                                .replace(":value1", "'3'")
                                .replace(":after", "5")
                                .replace(":limit", "100"),
                        "job_label_value"));
        all.put("labels of jobs", List.of(LabelStore.OF_JOBS.replace("<ids>", "1, 2, 3"), "PRIMARY"));
        all.put("owners of active jobs", List.of(SpoolHomes.ACTIVE, "job_state|job_owner"));
        all.put("owners of the jobs that ended last", List.of(SpoolHomes.ENDED_LAST, "usage_record_end"));
        all.put(
                "claim",
                List.of(
                        FenceStore.CLAIM
                                .replace(":id", "1")
                                .replace(":claimant", "'wn1 4711'")
                                .replace(":attempt", "1")
                                .replace(":lrmsId", "'17'"),
                        "PRIMARY"));
        all.put(
                "start",
                List.of(
                        JobStore.START
                                .replace(":now", "UTC_TIMESTAMP(6)")
                                .replace(":handOver", "1")
                                .replace("<ids>", "1, 2, 3"),
                        "PRIMARY"));
        all.put(
                "request of a key",
                List.of(
                        RegisterKeyStore.FIND.replace(":owner", "1").replace(":key", "UNHEX(SHA2('k', 256))"),
                        "PRIMARY"));
        all.put(
                "page of an owner's jobs",
                List.of(
                        JobStore.PAGE_OF_OWNER
                                .replace(":owner", "1")
                                .replace("<states>", "0, 1, 2, 3")
                                .replace(":after", "5"),
                        "job_owner"));
        all.put(
                "any job of a user",
                List.of(
                        JobStore.ANY_OF_SUBJECT
                                .replaceFirst("\\?", "0")
                                .replaceFirst("\\?", "UNHEX(SHA2('CN=user1,O=Test', 256))"),
                        "subject_key"));
        all.put(
                "page of all jobs",
                List.of(JobStore.PAGE_OF_ALL.replace("<states>", "0, 1, 2, 3").replace(":after", "5"), "job_state"));
        all.put("states by id", List.of(JobStore.STATES_BY_ID.replace("<ids>", "1, 2, 3"), "PRIMARY"));
        all.put("info by id", List.of(JobStore.BY_ID_WITH_TEXT.replace("<ids>", "1, 2, 3"), "PRIMARY"));
        all.put("a person's text", List.of(TextQuota.USED.replace(":subject", "1"), "job_text_of_person"));
        all.put(
                "a person's uploads",
                List.of(
                        StoredUploads.USED
                                .replace(":job", "1")
                                .replace(":output", "FALSE")
                                .replace(":subject", "1"),
                        "uploaded_of_person"));
        all.put("jobs that have not ended", List.of(JobStore.COUNT_PRESENT, "job_state"));
        all.put("followed", List.of(JobStore.FOLLOWED.replace("<queues>", "1, 2"), "job_state"));
        all.put(
                "ended since",
                List.of(
                        JobStore.ENDED_SINCE
                                .replace(":state", "7")
                                .replace(":from", "'2030-01-01'")
                                .replace(":most", "10000"),
                        "job_state"));
        all.put("confirmed until", List.of(JobStore.CONFIRMED_UNTIL.replace("<queues>", "1, 2"), "PRIMARY|null"));
        all.put("reported ends", List.of(ReportedEnds.OF_JOBS.replace("<ids>", "1, 2, 3"), "PRIMARY"));
        all.put(
                "reported ends that wait",
                List.of(ReportedEnds.WAITING.replace(":before", "'2020-01-01'"), "reported_end_age"));
        all.put("settled ends", List.of(ReportedEnds.SETTLED.replace("<ids>", "1, 2, 3"), "PRIMARY"));
        all.put(
                "why jobs wait",
                List.of(
                        StateReasons.EXPLAIN
                                .replace("<arms>", StateReasons.arms(List.of(List.of(1, 2), List.of(3))))
                                .replaceAll(":reason[0-9]", "'r'")
                                .replace("<ids>", "1, 2, 3"),
                        "PRIMARY"));
        all.put("claimant", List.of(FenceStore.CLAIMANT.replace(":id", "1"), "PRIMARY"));
        all.put("usage by number", List.of(UsageRecords.USAGE.replace("<numbers>", "1, 2, 3"), "usage_record_job"));
        all.put("claimed jobs", List.of(FenceStore.CLAIMED.replace("<ids>", "1, 2, 3"), "PRIMARY"));
        all.put("owners of ended jobs", List.of(JobEnds.OWNERS.replace("<ids>", "1, 2, 3"), "PRIMARY"));
        all.put("accounts of ended jobs", List.of(JobEnds.ACCOUNTS.replace("<ids>", "1, 2, 3"), "PRIMARY"));
        return all;
    }

    /** The first page of an owner's jobs in all states. */
    public static String pageOf(int owner) {
        return JobStore.PAGE_OF_OWNER
                .replace(":owner", Integer.toString(owner))
                .replace(
                        "<states>",
                        Arrays.stream(JobState.values())
                                .map(state -> Integer.toString(state.code()))
                                .collect(Collectors.joining(", ")))
                .replace(":after", "0");
    }

    /** Updates of many rows, each with values of its own. */
    public static Map<String, String> sets() {
        return Map.of(
                "changes of jobs",
                JobStore.UPDATE.replace("<rows>", rows(JobStore.CHANGED)),
                "taken by the batch system",
                JobStore.TAKEN.replace("<rows>", rows(JobStore.TAKEN_ROWS)),
                "what ended jobs used",
                UsageRecords.MERGE.replace("<rows>", rows(UsageRecords.MERGED)),
                "corrected ends",
                UsageRecords.CORRECT.replace("<rows>", rows(UsageRecords.CORRECTED)));
    }

    private static String rows(List<String> columns) {
        return ValueRows.derived(columns, 3).replace("?", "1");
    }
}
