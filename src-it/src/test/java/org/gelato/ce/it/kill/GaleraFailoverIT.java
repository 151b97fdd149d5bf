package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.database.DatabaseCluster;
import org.gelato.ce.testkit.database.GaleraCluster;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The writer of a Galera cluster is killed under load and comes back as a member: once, twice with
 * {@code -Dgelato.test.long=true}, 50 times with {@code -Dgelato.soak.minutes}.
 */
@Tag("long")
class GaleraFailoverIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @BeforeAll
    static void needsGalera() {
        GaleraCluster.missing().ifPresent(why -> Skipped.because("Galera", why));
    }

    @Test
    void noJobIsLostOrDoubledWhenTheWriterIsKilled() throws Exception {
        try (FailoverSite site = new FailoverSite("galera", GaleraCluster::start)) {
            site.run("GaleraFailover", i -> killTheWriter(site));
            assertThat(site.cluster().sql(0, "SELECT term FROM gelato.database_writer"))
                    .as("writers one after another")
                    .isEqualTo(Integer.toString(FailoverSite.kills() + 1));
        }
    }

    private static void killTheWriter(FailoverSite site) {
        DatabaseCluster cluster = site.cluster();
        int writer = node(cluster, site.writer(0));
        int other = (writer + 1) % cluster.size();
        cluster.kill(writer);
        Awaitility.await("another node is the writer")
                .atMost(PATIENCE)
                .ignoreExceptions() // the others answer nothing until they have found that one is missing
                .until(() -> node(cluster, site.writer(other)) != writer);
        cluster.restart(writer);
    }

    private static int node(DatabaseCluster cluster, String server) {
        for (int i = 0; i < cluster.size(); i++) {
            if (server.equals("127.0.0.1:" + cluster.port(i))) {
                return i;
            }
        }
        throw new IllegalStateException("no node is called " + server);
    }
}
