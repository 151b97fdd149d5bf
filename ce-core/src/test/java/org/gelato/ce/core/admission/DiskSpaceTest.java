package org.gelato.ce.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.gelato.ce.core.admission.DiskSpace.Refused;
import org.gelato.ce.core.admission.DiskSpace.Space;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {
    private Space space = new Space(1000, 150);
    private final DiskSpace room = new DiskSpace(() -> space, 90);

    @Test
    void inputLeavesWhatAdmissionWantsAndOutputHalfOfIt() {
        room.sample();
        assertThat(room.refusal(50, false)).isEmpty();
        assertThat(room.refusal(51, false)).contains(new Refused(150, 100));
        assertThat(room.refusal(100, true)).isEmpty();
        assertThat(room.refusal(101, true)).contains(new Refused(150, 50));
    }

    @Test
    void whatWasTakenSinceTheSampleCountsAndWhatItMayHaveMissed() {
        room.sample();
        assertThat(room.take(30, false)).isEmpty();
        assertThat(room.take(30, false)).contains(new Refused(120, 100));
        // Half of it is on the disk when the next sample is taken, and the rest comes afterwards.
        room.written(15);
        space = new Space(1000, 135);
        room.sample();
        room.written(15);
        assertThat(room.refusal(20, false)).isEmpty();
        assertThat(room.refusal(21, false)).contains(new Refused(120, 100));
        room.giveBack(30);
        assertThat(room.refusal(50, false)).isEmpty();
        assertThat(room.take(50, false)).isEmpty();
        space = new Space(1000, 20);
        room.sample();
        assertThat(room.refusal(1, true)).as("others took more").contains(new Refused(0, 50));
    }

    @Test
    void whatGoesWhileASampleIsTakenIsNotGivenBackTwice() {
        DiskSpace[] sampled = new DiskSpace[1];
        boolean[] goes = new boolean[1];
        sampled[0] = new DiskSpace(
                () -> {
                    if (goes[0]) {
                        sampled[0].giveBack(40);
                    }
                    return space;
                },
                90);
        sampled[0].sample();
        assertThat(sampled[0].take(40, false)).isEmpty();
        sampled[0].written(40);
        goes[0] = true;
        sampled[0].sample();
        assertThat(sampled[0].refusal(51, false)).contains(new Refused(150, 100));
    }

    @Test
    void withoutALimitOrAReadingThereIsRoom(@TempDir Path directory) {
        assertThat(room.refusal(Long.MAX_VALUE, false))
                .as("before the first sample")
                .isEmpty();
        DiskSpace none = new DiskSpace(() -> space, -1);
        none.sample();
        assertThat(none.refusal(Long.MAX_VALUE, false)).isEmpty();
        DiskSpace absent = DiskSpace.of(directory.resolve("absent"), 90);
        absent.sample();
        assertThat(absent.bytes()).isZero();
        assertThat(absent.refusal(Long.MAX_VALUE, false)).isEmpty();
        DiskSpace real = DiskSpace.of(directory, 90);
        real.sample();
        assertThat(real.bytes()).isPositive();
    }
}
