package org.gelato.ce.core.description.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.description.DescriptionException;
import org.junit.jupiter.api.Test;

class CeRequirementsTest {
    @Test
    void comparisonsBecomeAssignments() throws DescriptionException {
        assertThat(CeRequirements.assignments("other.GlueHostMainMemoryRAMSize >= 100 && 200 > other.Cpus"
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
        assertThat(CeRequirements.assignments("Member(\"a\", other.Env) && member(\"b\", other.Env)"))
                .containsExactly("Env[0]='\"a\"'", "Env[1]='\"b\"'");
    }

    @Test
    void whatBlahpdDropsIsDropped() throws DescriptionException {
        assertThat(CeRequirements.assignments(
                        "other.Aa != 3 && other.Bb == true && other.Cc >= 1.5 && other.Dd >= \"x\" && other.Ee"))
                .isEmpty();
        assertThat(CeRequirements.assignments(null)).isEmpty();
    }

    @Test
    void theShellsOwnNamesAreNotSet() throws DescriptionException {
        assertThat(CeRequirements.assignments("other.PATH == \"/tmp\" && other.BASH_ENV == \"x\" && other.IFS == 1"))
                .isEmpty();
    }

    @Test
    void whatWouldLeaveItsQuotesIsRefused() {
        for (String bad : new String[] {"$(id)", "a`id`", "a\\\" -q x", "a\\\\n", "a\tb"}) {
            assertThatThrownBy(() -> CeRequirements.assignments("other.Name == \"" + bad + "\""))
                    .isInstanceOf(DescriptionException.class)
                    .hasMessageStartingWith("CERequirements");
        }
    }

    @Property(tries = 300)
    void anyValueStaysOneQuotedWord(@ForAll String value) {
        try {
            for (String assignment :
                    CeRequirements.assignments("other.Name == \"" + value.replace("\"", "\\\"") + "\"")) {
                assertThat(assignment).matches("Name='\"[A-Za-z0-9 _.:/+@,=%-]*\"'");
            }
        } catch (DescriptionException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }
}
