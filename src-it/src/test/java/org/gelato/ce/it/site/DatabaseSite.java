package org.gelato.ce.it.site;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A database of the site's own that a test has below its CE. */
public interface DatabaseSite extends AutoCloseable {
    /** Configuration keys of a CE that uses it. */
    Map<String, Object> settings();

    /** Where its files are. */
    Path base();

    /** First column of what a query returns, as text. */
    List<String> column(String query);

    /** As systemd does with a server that ended by itself, where one did. */
    void restartIfEnded();

    @Override
    void close();
}
