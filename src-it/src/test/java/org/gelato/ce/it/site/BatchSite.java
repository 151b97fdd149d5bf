package org.gelato.ce.it.site;

import java.nio.file.Path;
import java.util.Map;

/** A real batch system that a test has below its CE. */
public interface BatchSite extends AutoCloseable {
    /** How the CE calls it, as slurm. */
    String lrms();

    /** The account that has jobs. */
    String account();

    /** Configuration keys of a CE that uses it. */
    Map<String, Object> settings();

    /**
     * Keeps what it noted of its jobs, for whoever looks for the cause of a failure.
     *
     * @param directory is made
     */
    void keepLogs(Path directory);

    @Override
    void close();
}
