package org.gelato.ce.core.service;

import java.util.List;
import java.util.Optional;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobNumbers;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.Languages;

/** Descriptions of stored jobs, read again in their language. Thread-safe. */
public final class StoredDescriptions {
    static final String TEXT = "SELECT jdl, language FROM job_text WHERE job_id = :id";

    private final Database database;
    private final JobNumbers numbers;
    private final Languages languages;

    public StoredDescriptions(Database database, JobNumbers numbers, Languages languages) {
        this.database = database;
        this.numbers = numbers;
        this.languages = languages;
    }

    private record Text(int language, String text) {}

    /**
     * The names of the files that a job's client uploads before the job starts.
     *
     * @param job one the caller may see: that is not checked here
     * @return empty when the job is gone by now
     */
    public List<String> uploads(JobId job) {
        return request(job).map(request -> request.files().uploads()).orElse(List.of());
    }

    /**
     * The directory below the session directory where the job's client looks for the CE's words on it.
     *
     * @param job one the caller may see: that is not checked here
     * @return empty where the description names none, or the job is gone by now
     */
    public Optional<String> logDirectory(JobId job) {
        return request(job).map(request -> request.session().logDirectory());
    }

    /**
     * The files of a job's standard streams.
     *
     * @param job one the caller may see: that is not checked here
     * @return without any when the job is gone by now
     */
    public JobRequest.Streams streams(JobId job) {
        return request(job).map(JobRequest::streams).orElse(JobRequest.Streams.NONE);
    }

    private Optional<JobRequest> request(JobId job) {
        Optional<Text> stored = database.read(h -> h.createQuery(TEXT)
                .bind("id", numbers.row(job))
                .map((r, c) -> new Text(r.getInt("language"), r.getString("jdl")))
                .findOne());
        return stored.map(text -> {
            try {
                return languages.read(text.language(), text.text());
            } catch (DescriptionException e) {
                throw new IllegalStateException("the stored description of " + job + " cannot be read", e);
            }
        });
    }
}
