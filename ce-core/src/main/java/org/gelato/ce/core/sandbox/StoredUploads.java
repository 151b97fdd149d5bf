package org.gelato.ce.core.sandbox;

import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;

/** {@link UploadedBytes} in the database: over restarts, and of all nodes. Each method is a read or a transaction of its own. */
public final class StoredUploads implements UploadedBytes {
    public static final String USED = "SELECT COALESCE(SUM(bytes), 0) AS whole,"
            + " COALESCE(SUM(CASE WHEN job_id = :job AND output = :output THEN bytes END), 0) AS of_side"
            + " FROM uploaded FORCE INDEX (uploaded_of_person) WHERE subject_id = :subject";
    static final String NOTE = "INSERT INTO uploaded (job_id, output, subject_id, bytes)"
            + " SELECT id, :output, :subject, :bytes FROM job WHERE id = :job"
            + " ON DUPLICATE KEY UPDATE bytes = VALUES(bytes)";

    private final Database database;
    private final JobNumbers numbers;

    public StoredUploads(Database database, JobNumbers numbers) {
        this.database = database;
        this.numbers = numbers;
    }

    @Override
    public Stored stored(JobId job, int subject, boolean output) {
        return database.read(h -> h.createQuery(USED)
                .bind("job", numbers.row(job))
                .bind("output", output)
                .bind("subject", subject)
                .map((r, c) -> new Stored(r.getLong("whole"), r.getLong("of_side")))
                .one());
    }

    @Override
    public void note(JobId job, int subject, boolean output, long bytes) {
        database.inTransaction(h -> h.createUpdate(NOTE)
                .bind("job", numbers.row(job))
                .bind("output", output)
                .bind("subject", subject)
                .bind("bytes", bytes)
                .execute());
    }
}
