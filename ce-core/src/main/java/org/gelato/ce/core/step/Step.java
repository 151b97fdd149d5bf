package org.gelato.ce.core.step;

/**
 * The steps of a job's life at which something may be killed. Each states what exists when the CE dies at this
 * point, and who finishes it. "The claim returns": at the next start of a CE on the same host at once, otherwise within a minute.
 */
public enum Step {
    /** Nothing is stored; the client, without a response, registers again. */
    REGISTER_CHECKED,
    /** Nothing is committed; the client registers again. */
    REGISTER_WRITTEN,
    /** Jobs are REGISTERED, their ids unknown to the client; its repetition with the request's key gets them. */
    REGISTER_STORED,
    /** As before, with the directories for input. Without a key: never started, removed by the purge policy. */
    REGISTER_READY,
    /** Nothing is committed; the client starts again. */
    START_WRITTEN,
    /** Jobs are PENDING with a QUEUED command, which a dispatcher claims; or claimed at once, then the claim returns. */
    START_STORED,
    /** A claim written and not committed: rolled back, in a start or purge with its command; else that stays QUEUED. */
    CLAIM_WRITTEN,
    /** The command is PROCESSING, the job marked SUBMITTING, nothing sent; the claim returns, the look-up finds nothing. */
    HAND_OVER_CLAIMED,
    /** As before, and the submission is on its way or was made; the look-up decides, the wrapper's claim fences a late one. */
    HAND_OVER_SENT,
    /** As before, and the batch system has certainly responded; the look-up finds the job. */
    HAND_OVER_ANSWERED,
    /** Job still marked SUBMITTING, the look-up's result known to the dead process alone; the claim returns once more. */
    LOOK_UP_ANSWERED,
    /** Outcome written and not committed: rolled back; the claim returns, and what was done is found done. */
    OUTCOME_WRITTEN,
    /** Outcome committed, the job's next command queued; a dispatcher claims that at its next query. */
    OUTCOME_STORED,
    /** Events lie in the spool and nothing is stored; the next scan brings them. */
    EVENTS_COLLECTED,
    /** Events written and not committed; the next scan brings them again. */
    EVENTS_WRITTEN,
    /** Events committed, files still in the spool; the next scan brings them again and they change nothing. */
    EVENTS_STORED,
    /** Nothing is committed; the client cancels again. */
    CANCEL_WRITTEN,
    /** A QUEUED cancel; a dispatcher claims it. */
    CANCEL_STORED,
    /** The cancel is PROCESSING and nothing sent; the claim returns. */
    CONTROL_CLAIMED,
    /** As before, and the batch command is on its way; the claim returns, a repeated cancel does no harm. */
    CONTROL_SENT,
    /** As before, and the batch system has responded; the repeated command finds the job ended or calls once more. */
    CONTROL_ANSWERED,
    /** A request with its encrypted key; any node takes its signed proxy, or the sweep forgets it. */
    RENEW_REQUESTED,
    /** The old proxy and the request; the client sends the new proxy again. */
    PROXY_CHECKED,
    /** The new proxy in the row, the old one in the file; start-up, the sweep or the client's repetition writes the file. */
    PROXY_STORED,
    /** File and row are new, the file not marked as written; it is written once more. */
    PROXY_FILE_WRITTEN,
    /** All is done and the client does not know; a repeated putProxy is refused, a new renewal works. */
    PROXY_MARKED,
    /** Nothing is committed; the client purges again. */
    PURGE_WRITTEN,
    /** A QUEUED purge, which a dispatcher claims; or claimed at once, then the claim returns. */
    PURGE_STORED,
    /** The purge is PROCESSING, the sandbox where it was; the claim returns. */
    PURGE_CLAIMED,
    /** The sandbox is in the trash, the rows are there; the claim returns and finds no sandbox, which is fine. */
    SANDBOX_RENAMED,
    /** The rows are gone, the tree is in the trash; the next start empties it. */
    ROWS_DELETED,
    /** Nothing is committed of the purge of a job that is being cancelled; the client purges again. */
    DEFERRED_PURGE_WRITTEN,
    /** A row that defers the purge; the sweep queues the purge when the job has ended. */
    DEFERRED_PURGE_STORED,
    /** Purges that a sweep found are QUEUED; a dispatcher claims them at its next query. */
    SWEPT_PURGES_STORED
}
