package org.gelato.ce.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.gelato.ce.description.xrsl.Xrsl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A site's programs for files that wrappers do not transfer themselves. */
class TransferProgramsTest {
    private static final TransferPrograms PROGRAMS =
            TransferPrograms.of(List.of("srm=gfal-copy --force", "root = /usr/bin/xrdcp"));

    private static JobRequest job(String files) throws DescriptionException {
        return Xrsl.LANGUAGE.read("&(executable=/bin/true)" + files, ReadingBudget.UNBOUNDED);
    }

    @Test
    void commandsAreKeptByScheme() {
        assertThat(PROGRAMS.commands()).isEqualTo(Map.of("srm", "gfal-copy --force", "root", "/usr/bin/xrdcp"));
        assertThat(TransferPrograms.of(List.of())).isEqualTo(TransferPrograms.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gfal-copy",
                "ftp=curl",
                "srm=",
                "srm=gfal-copy; rm -rf /",
                "srm=$(id)",
                "srm=a  b",
                "srm='a b'",
                "=x",
                "SRM=gfal-copy"
            })
    void anEntryThatIsNoneIsRefused(String entry) {
        assertThatThrownBy(() -> TransferPrograms.of(List.of(entry))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSchemeHasOneProgram() {
        assertThatThrownBy(() -> TransferPrograms.of(List.of("srm=a", "srm=b"))).hasMessageContaining("there are two");
    }

    @Test
    void aJobIsTakenWhereEachOfItsFilesHasAProgram() throws DescriptionException {
        JobRequest job = job("(inputfiles=(a srm://se.example.org:8446/dpm/x)(b \"\"))"
                + "(outputfiles=(c root://se.example.org:1094//x)(d https://se.example.org/x))");
        assertThat(PROGRAMS.check(job)).isSameAs(job);
    }

    @Test
    void anotherSchemeIsRefusedByName() throws DescriptionException {
        JobRequest job = job("(inputfiles=(a rucio://rucio.example.org/replicas/s/x))");
        assertThatThrownBy(() -> PROGRAMS.check(job))
                .isInstanceOf(DescriptionException.class)
                .hasMessageContaining("rucio://rucio.example.org/replicas/s/x")
                .hasMessageContaining("no program that transfers rucio URLs; it has some for root, srm");
        assertThatThrownBy(() -> TransferPrograms.NONE.check(job)).hasMessageEndingWith("transfers rucio URLs");
    }

    /** CREAM's rule for JDL is as it was. */
    @Test
    void aSchemeThatNobodyKnowsIsRefusedWhereItIsRead() {
        assertThatThrownBy(() -> job("(inputfiles=(a lfc://lfc.example.org/x))"))
                .hasMessageContaining("doesn't present an allowed scheme");
    }
}
