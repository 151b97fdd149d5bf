package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitStatusTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "0, 0",
                "768, 3",
                "9, 137",
                "139, 139",
                "4021, -",
                "0:0, 0",
                "3:0, 3",
                "0:9, 137",
                "15:53, -",
                // as a real Slurm 22.05 shows them in squeue and in its job completion log
                "4021, -",
                "0:53, -",
                "13568, 53",
                "53:0, 53",
                "53, -",
                "51200, 200",
                "200:0, 200",
                "35072, 137",
                "137:0, 137",
                "139, 139",
                "0:11, 139",
                "65280, 255",
                "255:0, 255",
                "256:0, -",
                "'', -",
                "x, -",
                "99999999999, -",
                "-1, -",
                "1:, -",
            })
    void readsEveryFormSlurmUses(String text, Integer exit) {
        assertThat(ExitStatus.parse(text)).isEqualTo(exit);
    }

    @Property
    void takesAnyText(@ForAll String text) {
        assertThatCode(() -> ExitStatus.parse(text)).doesNotThrowAnyException();
    }
}
