package org.gelato.ce.ws.dashboard;

import java.util.List;
import java.util.Map;
import org.gelato.ce.core.job.JobStore;

/** What this node knows at a moment without asking the database. */
public interface LiveState {
    /** Values for the page, as JSON: maps, lists, numbers, texts; null for what is unknown. */
    Map<String, Object> now();

    /** What a verdict on this node is made of. Waits a second at the most. */
    Situation situation();

    /** The jobs that have not ended, as read last; null while the database does not respond. */
    List<JobStore.Present> present();
}
