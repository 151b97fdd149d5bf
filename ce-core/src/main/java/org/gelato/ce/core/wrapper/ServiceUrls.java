package org.gelato.ce.core.wrapper;

import java.util.Map;
import org.gelato.ce.core.job.JobId;

/** Where a job and its wrapper reach this CE over HTTPS, and the names they know it by. The paths are the protocol's. */
public interface ServiceUrls {
    /**
     * The variables by which a job finds its own id, in the order they are exported.
     *
     * @param arc whether ARC REST brought it; else CREAM did
     */
    Map<String, String> names(JobId id, boolean arc);

    /** The name of a queue, as clients know it. */
    String queue(String lrms, String queue);

    /** Where wrappers POST events. */
    String events();

    /** Where wrappers POST messages and output of running jobs. */
    String messages();

    /** Where a wrapper claims its job. */
    String claims();

    /** The URL at which a wrapper gets its job's proxy. */
    String proxy(JobId id);

    /** To which the names of input files are added. */
    String input(JobId id);

    /** To which the names of output files are added. */
    String output(JobId id);
}
