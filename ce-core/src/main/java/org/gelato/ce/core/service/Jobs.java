package org.gelato.ce.core.service;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.job.JobId;

/**
 * The operations on jobs: the one entry point for every protocol. Foreign job ids are reported as unknown. Thread-safe;
 * no call holds a database connection while it waits for anything else.
 */
public record Jobs(Registration registration, Commands commands, Queries queries) {
    /** How jobs get into the CE. */
    public interface Registration {
        /**
         * Stores jobs, all those that are acceptable in one transaction. A request with a key that the same owner repeats
         * within a day has the same result, faults included, and stores nothing.
         *
         * @return one result per description, in order
         * @throws ServiceException SUBMISSION_DISABLED when admission refuses
         * @throws ServiceException.NotAuthorized for a limited proxy
         * @throws ServiceException INVALID_ARGUMENT without a description, or for a key that belongs to another request
         */
        List<RegisterResult> register(Caller caller, RegisterRequest request);

        /** Stores jobs, each time it is called. */
        default List<RegisterResult> register(Caller caller, List<JobDescription> descriptions, String iceId) {
            return register(caller, new RegisterRequest(descriptions, iceId, null));
        }
    }

    /** What callers have done to their jobs. */
    public interface Commands {
        /**
         * Starts registered jobs. Without ids it starts nothing and returns an empty list
         * (docs/developer/protocol/client-observations.md, Requests).
         */
        List<CommandResult> start(Caller caller, JobFilter filter);

        /** Cancels jobs. Without ids: all that match, later, and the result is empty. */
        List<CommandResult> cancel(Caller caller, JobFilter filter);

        /**
         * Cancels the jobs named whatever state they are in before their end, those on their way to the batch system too.
         *
         * @param ids without ids nothing happens
         */
        List<CommandResult> kill(Caller caller, List<String> ids);

        /** Removes ended or never started jobs with their sandboxes. Without ids: all that match, later. */
        List<CommandResult> purge(Caller caller, JobFilter filter);

        /**
         * Removes the jobs named: ended ones and those never started as {@link #purge}, and those that are being cancelled as soon as
         * they have ended. Others are refused by their state.
         *
         * @param ids without ids nothing happens
         */
        List<CommandResult> clean(Caller caller, List<String> ids);

        /**
         * Holds jobs in the batch system, which may refuse: then the command ends in ERROR with its message. Without ids: all
         * that match, later, and the result is empty.
         */
        List<CommandResult> suspend(Caller caller, JobFilter filter);

        /** Releases held jobs. Without ids: all that match, later, and the result is empty. */
        List<CommandResult> resume(Caller caller, JobFilter filter);

        /**
         * Gives jobs a lease, at once. A lease their owner does not have leaves a job as it is and its command in ERROR; the
         * result does not show.
         *
         * @param leaseId null for none
         * @return the jobs named, or without ids all that match
         */
        List<CommandResult> setLease(Caller caller, String leaseId, JobFilter filter);
    }

    /** What callers read of their jobs. */
    public interface Queries {
        /**
         * The current state of each job, a slice at a time. Each slice is read on request and none is kept; it may be
         * empty. What fails at a later slice is thrown there.
         *
         * @throws ServiceException STATUS_NOT_COMPATIBLE for a filter by states of which none exists
         */
        Iterator<List<JobStatusResult>> statuses(Caller caller, JobFilter filter);

        /** The full record of each job, as {@link #statuses}. */
        Iterator<List<JobInfoResult>> infos(Caller caller, JobFilter filter);

        /** The ids of all jobs of the caller, by age, as {@link #statuses}. */
        Iterator<List<JobId>> lists(Caller caller);

        /** Whether the CE has a job of this user or service, under any group; also of one whom nothing maps to an account any more. */
        boolean hasJobs(Identity identity);

        /** All of {@link #statuses}: for few jobs. */
        default List<JobStatusResult> status(Caller caller, JobFilter filter) {
            return all(statuses(caller, filter));
        }

        /** All of {@link #infos}: for few jobs. */
        default List<JobInfoResult> info(Caller caller, JobFilter filter) {
            return all(infos(caller, filter));
        }

        /** All of {@link #lists}: for few jobs. */
        default List<JobId> list(Caller caller) {
            return all(lists(caller));
        }
    }

    private static <T> List<T> all(Iterator<List<T>> slices) {
        List<T> all = new ArrayList<>();
        slices.forEachRemaining(all::addAll);
        return all;
    }
}
