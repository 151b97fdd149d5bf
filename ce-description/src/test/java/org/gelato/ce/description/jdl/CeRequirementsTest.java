package org.gelato.ce.description.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.FurtherRequirements;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.ReadingBudget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CeRequirementsTest {
    private static final String JDL = "Executable = \"/bin/true\"; BatchSystem = \"slurm\"; QueueName = \"long\"; ";

    private static CeRequirements read(String text) throws DescriptionException {
        return CeRequirements.of(text, ReadingBudget.UNBOUNDED);
    }

    private static List<String> assignments(String text) throws DescriptionException {
        return read(text).assignments();
    }

    @Test
    void comparisonsBecomeAssignments() throws DescriptionException {
        assertThat(assignments("other.GlueHostMainMemoryRAMSize >= 100 && 200 > other.Cpus"
                        + " || other.Name == \"it's CREAM\" && Plain =?= 5 && !(other.Max < 7)"))
                .containsExactly(
                        "GlueHostMainMemoryRAMSize_Min='100'",
                        "Cpus_Max='200'",
                        "Name='\"its CREAM\"'",
                        "Plain='5'",
                        "Max_Max='7'");
    }

    @Test
    void membersOfAListAreNumbered() throws DescriptionException {
        assertThat(assignments("Member(\"a\", other.Env) && member(\"b\", other.Env)"))
                .containsExactly("Env[0]='\"a\"'", "Env[1]='\"b\"'");
    }

    @Test
    void whatBlahpdDropsIsDropped() throws DescriptionException {
        assertThat(assignments("other.Aa != 3 && other.Bb == true && other.Cc >= 1.5 && other.Dd >= \"x\" && other.Ee"))
                .isEmpty();
        assertThat(assignments(null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                "other.GlueHostMainMemoryRAMSize >= 3000 && other.GlueCEPolicyMaxWallClockTime <= 60 ; 60 ; - ; 3000 ; -",
                "other.GlueCEPolicyMaxWallClockTime >= 90 && other.GlueCEPolicyMaxWallClockTime >= 120 ; 120 ; - ; - ; -",
                "other.GlueCEPolicyMaxWallClockTime <= 90 && other.GlueCEPolicyMaxWallClockTime < 60 ; 60 ; - ; - ; -",
                "other.GlueCEPolicyMaxWallClockTime <= 90 && 60 < other.GlueCEPolicyMaxObtainableWallClockTime ; 60 ; - ; - ; -",
                "gluecepolicymaxcputime == 30 && other.GlueHostArchitectureSMPSize > 8 ; - ; 30 ; - ; 8",
                "other.GlueHostMainMemoryRAMSize == 100 && (other.GlueHostMainMemoryRAMSize > 200 && Aa == 1) ; - ; - ; 200 ; -",
                "other.GlueHostMainMemoryRAMSize == 100 || other.GlueHostMainMemoryRAMSize > 200 ; - ; - ; - ; -",
                "!(other.GlueCEPolicyMaxWallClockTime < 2880) ; - ; - ; - ; -",
                "other.GlueCEPolicyMaxWallClockTime < 60 == false && Bb == 1 ; - ; - ; - ; -",
                "other.GlueCEPolicyMaxCPUTime >= 5 && !(!(other.GlueHostMainMemoryRAMSize > 200)) ; - ; 5 ; - ; -",
                "other.GlueHostArchitectureSMPSize > 1 ? other.GlueCEPolicyMaxCPUTime > 9 : other.GlueHostMainMemoryRAMSize > 7 ; - ; - ; - ; -",
                "other.GlueCEPolicyMaxWallClockTime >= 999999999 && other.GlueHostMainMemoryRAMSize >= 0 ; - ; - ; - ; -",
                "other.GlueHostMainMemoryRAMSize <= 100 && other.GlueHostArchitectureSMPSize < 2 ; - ; - ; - ; -",
            })
    void whatMeansTheSameEverywhereBecomesALimit(String text, Integer wall, Integer cpu, Integer mib, Integer cpus)
            throws DescriptionException {
        assertThat(read(text).limits())
                .isEqualTo(new Limits(
                        wall == null ? null : Duration.ofMinutes(wall),
                        cpu == null ? null : Duration.ofMinutes(cpu),
                        null,
                        mib == null ? null : (long) mib << 20,
                        cpus));
    }

    @Test
    void theRestIsNamedOnce() throws DescriptionException {
        assertThat(read("other.GlueCEPolicyMaxWallClockTime <= 60 && other.Aa == 1 && other.Aa == \"x\" && Bb"
                                + " && Member(\"a\", other.Cc) && other.Dd != 2 && RegExp(\"x\", other.Ee)"
                                + " && other.GlueHostMainMemoryRAMSize <= 5 && other.PATH == 1 && other.Ff > -1"
                                + " && other.GlueCEPolicyMaxCPUTime >= 1.5")
                        .further())
                .isEqualTo(new FurtherRequirements(
                        List.of("Aa", "Cc", "GlueHostMainMemoryRAMSize"),
                        List.of("Bb", "Dd", "Ee", "PATH", "Ff", "GlueCEPolicyMaxCPUTime")));
        assertThat(read(null).further()).isEqualTo(FurtherRequirements.NONE);
    }

    @Test
    void whatNeedNotHoldIsForTheSitesScriptAlone() throws DescriptionException {
        CeRequirements read = read("!(other.GlueCEPolicyMaxWallClockTime < 2880)"
                + " && (other.GlueHostMainMemoryRAMSize > 1 || other.GlueHostMainMemoryRAMSize > 2)");
        assertThat(read.assignments())
                .containsExactly(
                        "GlueCEPolicyMaxWallClockTime_Max='2880'",
                        "GlueHostMainMemoryRAMSize_Min='1'",
                        "GlueHostMainMemoryRAMSize_Min='2'");
        assertThat(read.further())
                .isEqualTo(new FurtherRequirements(
                        List.of("GlueCEPolicyMaxWallClockTime", "GlueHostMainMemoryRAMSize"), List.of()));
    }

    @Test
    void aDescriptionHasThemHoweverTheyAreWritten() throws DescriptionException {
        Limits hour = new Limits(Duration.ofHours(1), null, null);
        for (String written : List.of(
                "other.GlueCEPolicyMaxWallClockTime <= 60",
                "\"other.GlueCEPolicyMaxWallClockTime <= 60\"",
                "\"(other.GlueCEPolicyMaxWallClockTime <= 60) && other.Name == \\\"x\\\"\"")) {
            assertThat(Jdl.parse(JDL + "CERequirements = " + written)
                            .resources()
                            .limits())
                    .isEqualTo(hour);
        }
        JobRequest odd = Jdl.parse(JDL + "CERequirements = \"what the site's script reads\"");
        assertThat(odd.resources().limits()).isEqualTo(Limits.NONE);
        assertThat(odd.warnings()).singleElement().asString().startsWith("CERequirements: nothing follows");
    }

    @Test
    void theShellsOwnNamesAreNotSet() throws DescriptionException {
        assertThat(assignments("other.PATH == \"/tmp\" && other.BASH_ENV == \"x\" && other.IFS == 1"))
                .isEmpty();
    }

    @Test
    void whatWouldLeaveItsQuotesIsRefused() {
        for (String bad : new String[] {"$(id)", "a`id`", "a\\\" -q x", "a\\\\n", "a\tb"}) {
            assertThatThrownBy(() -> assignments("other.Name == \"" + bad + "\""))
                    .isInstanceOf(DescriptionException.class)
                    .hasMessageStartingWith("CERequirements");
        }
    }

    @Property
    void anyValueStaysOneQuotedWord(@ForAll String value) {
        try {
            for (String assignment : assignments("other.Name == \"" + value.replace("\"", "\\\"") + "\"")) {
                assertThat(assignment).matches("Name='\"[A-Za-z0-9 _.:/+@,=%-]*\"'");
            }
        } catch (DescriptionException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }
}
