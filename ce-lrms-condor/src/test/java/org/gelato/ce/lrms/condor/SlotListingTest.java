package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.gelato.ce.core.lrms.ClusterStatus;
import org.gelato.ce.core.lrms.LrmsException;
import org.junit.jupiter.api.Test;

class SlotListingTest {
    private static final String VERSION = "\"$CondorVersion: 23.9.6 2026-07-12 PackageID: 23.9.6+dfsg-2.1+b10 $\"";

    private static ClusterStatus of(String... lines) {
        SlotListing listing = new SlotListing();
        for (String line : lines) {
            listing.take(line.getBytes(StandardCharsets.UTF_8));
        }
        return listing.status();
    }

    @Test
    void freeSlotsAreThoseOfNodesThatMayBeUsed() {
        ClusterStatus status = of(
                VERSION + "\t8\t5\t\"Unclaimed\"\ttrue\tundefined\n",
                VERSION + "\t16\t16\t\"Owner\"\ttrue\tfalse\n",
                VERSION + "\t4\t4\t\"Unclaimed\"\ttrue\ttrue\n",
                "\"$CondorVersion: 25.1.0 x $\"\t1\t1\t\"Claimed\"\tundefined\tundefined\n",
                VERSION + "\t2\t2\t\"Unclaimed\"\tundefined\tundefined\n");
        assertThat(status.version()).isEqualTo("23.9.6");
        assertThat(status.slots()).hasValue(31);
        assertThat(status.freeSlots()).hasValue(7);
        assertThat(status.queues()).isEmpty();
        assertThat(status.isMissing("any")).isFalse();
    }

    @Test
    void aPoolWithoutSlotsHasNone() {
        assertThat(of().slots()).hasValue(0);
        assertThat(of().version()).isNull();
    }

    @Test
    void strangeOrCutOutputIsNone() {
        assertThatThrownBy(() -> of("Error: no collector\n")).isInstanceOf(LrmsException.class);
        assertThatThrownBy(() -> of(VERSION + "\t8\t5\t\"Unclaimed\"\ttrue\tundefined"))
                .isInstanceOf(LrmsException.class);
    }
}
