package org.gelato.ce.it.kill;

import java.util.function.Supplier;
import org.gelato.ce.it.history.HistoriesIT;
import org.gelato.ce.it.history.nemesis.GaleraSite;
import org.gelato.ce.it.site.DatabaseSite;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.database.GaleraCluster;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same on a Galera cluster, the writer of which is killed, stopped and cut off. */
@Tag("long")
class GaleraHistoriesIT extends HistoriesIT {
    @BeforeAll
    static void needsGalera() {
        GaleraCluster.missing().ifPresent(why -> Skipped.because("Galera", why));
    }

    @Override
    protected Supplier<DatabaseSite> databaseSite() {
        return GaleraSite::new;
    }
}
