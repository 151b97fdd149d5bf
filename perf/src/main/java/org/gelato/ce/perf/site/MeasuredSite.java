package org.gelato.ce.perf.site;

import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.testkit.pki.GridPki;

/** What clients and monitors of a measurement need to know of the site that it is made on. */
public interface MeasuredSite {
    /** Everything of the site is below it. */
    Path base();

    GridPki pki();

    /** Where clients connect. */
    Endpoint door();

    /** The batch system's name in a JDL. */
    String batchSystem();

    /** The JVMs that serve now; killed ones are missing. */
    List<Long> cePids();

    /** The database servers that run now. */
    List<Long> databasePids();

    /** A connection for monitors; the caller closes it. */
    CountStore counts();
}
