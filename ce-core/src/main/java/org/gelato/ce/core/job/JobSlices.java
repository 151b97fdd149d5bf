package org.gelato.ce.core.job;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.gelato.ce.core.db.SliceWeight;

/**
 * A result about jobs, read a slice at a time. A slice that weighs too much is read again with half the jobs, and none of
 * this result is larger after that. Between slices no connection and nothing of the result is held.
 */
public final class JobSlices<R> implements Iterator<List<R>> {
    private final JobChoice choice;
    private final Reader<R> reader;
    private int most;
    private int size;

    public interface Reader<R> {
        /**
         * Reads the results for the first of some jobs, at least one.
         *
         * @throws SliceWeight.TooHeavy when it would be too much at a time; never for a single job
         */
        Part<R> read(List<JobChoice.Choice> jobs);
    }

    /**
     * A slice.
     *
     * @param results may be empty
     * @param jobs how many jobs it is about
     */
    public record Part<R>(List<R> results, int jobs) {}

    /** @param most jobs of one slice */
    public JobSlices(JobChoice choice, int most, Reader<R> reader) {
        this.choice = choice;
        this.reader = reader;
        this.most = most;
        size = most;
    }

    @Override
    public boolean hasNext() {
        return choice.hasNext();
    }

    @Override
    public List<R> next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the result has ended");
        }
        while (true) {
            List<JobChoice.Choice> jobs = choice.peek(size);
            if (jobs.isEmpty()) {
                return List.of(); // What was there when the page before was read is gone.
            }
            try {
                Part<R> part = reader.read(jobs);
                choice.pass(part.jobs());
                size = Math.min(most, 2 * part.jobs());
                return part.results();
            } catch (SliceWeight.TooHeavy e) {
                most = Math.max(1, jobs.size() / 2);
                size = most;
            }
        }
    }
}
