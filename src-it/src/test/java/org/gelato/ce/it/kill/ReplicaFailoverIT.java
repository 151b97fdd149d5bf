package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.database.ReplicatedServers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The source of a semi-synchronous pair is killed under load, its replica is promoted as an operator's tool does it, and the old source
 * comes back as the replica: once, twice with
 * {@code -Dgelato.test.long=true}, 50 times with {@code -Dgelato.soak.minutes}.
 */
class ReplicaFailoverIT {
    private ReplicatedServers pair;

    @BeforeAll
    static void needsMariaDb() {
        ReplicatedServers.missing().ifPresent(why -> Skipped.because("Replica", why));
    }

    private ReplicatedServers start(Path folder) {
        pair = ReplicatedServers.start(folder);
        return pair;
    }

    @Test
    void noJobIsLostOrDoubledWhenTheSourceIsKilledAndTheReplicaPromoted() throws Exception {
        try (FailoverSite site = new FailoverSite("replica", this::start)) {
            site.run("ReplicaFailover", i -> {
                int old = pair.source();
                pair.kill(old);
                pair.promote();
                pair.restart(old);
            });
            assertThat(site.writer(pair.source()))
                    .as("the writer that all CEs agree on")
                    .isEqualTo("server_id " + (pair.source() + 1));
        }
    }
}
