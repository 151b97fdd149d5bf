package org.gelato.ce.core.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.time.Duration;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A CE that starts while somebody holds the table of events: nothing is known of the horizon, which is not that it is 0. */
class FirstFenceTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static long last() {
        return DB.database()
                .read(h -> h.select("SELECT MAX(id) FROM job_state_history")
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void aDumpDoesNotHoldUpTheFirstHorizon() throws Exception {
        EventScene scene = new EventScene(DB.database(), 5);
        try (Connection dump = scene.open()) {
            try (var read = dump.createStatement();
                    var rows = read.executeQuery("SELECT COUNT(*) FROM job_state_history")) {
                rows.next(); // as mysqldump --single-transaction
            }
            assertThat(scene.node().horizon()).isEqualTo(last());
            dump.rollback();
        }
    }

    @Test
    void beforeTheFirstFenceNobodyGetsTheWholeHistory() throws Exception {
        EventScene scene = new EventScene(DB.database(), 5);
        EventQueries node = scene.node();
        try (Connection writer = scene.open()) {
            scene.write(writer, 1);
            assertThatThrownBy(node::horizon)
                    .hasFieldOrPropertyWithValue("code", FaultCode.UNAVAILABLE)
                    .hasMessageContaining("cannot be read yet");
            assertThat(node.isReadable()).isFalse();
            assertThatThrownBy(() -> node.query(EventScene.ALICE, EventScene.from(0)))
                    .hasFieldOrPropertyWithValue("code", FaultCode.UNAVAILABLE);
            writer.rollback();
        }
        scene.pass(Duration.ofMinutes(1));
        assertThat(node.horizon()).isEqualTo(last());
        assertThat(node.isReadable()).isTrue();
        assertThat(node.query(EventScene.ALICE, EventScene.from(0)).events()).isNotEmpty();
    }
}
