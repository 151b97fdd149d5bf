package org.gelato.ce.core.job;

/**
 * SQL of usage records. A record is written in the transaction that ends its job and outlives the job's purge. A job ends
 * once, so a repeated insert of the same job is a repeated transaction and changes nothing.
 */
final class UsageRecords {
    private UsageRecords() {}

    // The wire's number is computed as in JobNumbers; decimal arithmetic, because the product leaves 64 bits unsigned
    // untouched but 32 bits not.
    static final String INSERT = """
            INSERT IGNORE INTO usage_record (job_number, owner_id, account_id, queue_id, lrms_id, worker_node, state,
              exit_code, registered_at, running_at, ended_at)
            SELECT MOD(CAST(j.id AS UNSIGNED) * 618033989 + i.number_offset, 1000000000), j.owner_id, j.account_id,
              j.queue_id, j.lrms_id, j.worker_node, j.state, j.exit_code, j.registered_at, j.running_at, j.ended_at
            FROM job j JOIN db_info i ON i.id = 1 WHERE j.id IN (<ids>)
            """;
    static final String OF_JOBS =
            "SELECT job_number FROM usage_record WHERE job_number IN (<numbers>) AND lrms_id IN (<lrmsIds>)";
    static final String EXTEND = """
            UPDATE usage_record SET ended_at = :until
            WHERE job_number IN (<numbers>) AND lrms_id IN (<lrmsIds>) AND ended_at < :until
            """;
}
