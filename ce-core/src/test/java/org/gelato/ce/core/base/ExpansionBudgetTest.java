package org.gelato.ce.core.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.DescriptionLanguage;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.adl.Adl;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.description.xrsl.Xrsl;
import org.gelato.ce.json.FaultCode;
import org.junit.jupiter.api.Test;

/** What job descriptions expand to: of one caller, of all, and given back. */
class ExpansionBudgetTest {
    private static final int MIB = 1 << 20;

    private final ExpansionBudget budget = new ExpansionBudget(4 * MIB, 2 * MIB);

    @Test
    void oneCallerHasAShareAndTheProcessAWhole() throws Exception {
        CallBudget first = budget.call("Ann");
        first.keep(MIB + MIB / 2);
        CallBudget second = budget.call("Ann");
        assertThatThrownBy(() -> second.keep(MIB))
                .isInstanceOfSatisfying(
                        ServiceException.class,
                        e -> assertThat(e.faultCause()).contains("this caller", "at most " + 2 * MIB));
        try (CallBudget other = budget.call("Bob")) {
            other.keep(2 * MIB);
            assertThatThrownBy(() -> budget.call("Cid").keep(MIB))
                    .isInstanceOfSatisfying(
                            ServiceException.class,
                            e -> assertThat(e.faultCause()).contains("all callers"));
        }
        first.close();
        second.keep(MIB);
        second.close();
        assertThat(budget.held()).isZero();
    }

    @Test
    void noCallMayHaveMoreThanTheShare() {
        try (CallBudget call = budget.call("Ann")) {
            assertThatThrownBy(() -> call.keep(2 * MIB + 1))
                    .hasFieldOrPropertyWithValue("code", FaultCode.TOO_LARGE)
                    .hasMessageContaining("expand to more than 2097152 characters")
                    .hasMessageContaining("several calls");
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void wordsOfACallAreBoundedTogether() {
        CallBudget call = new ExpansionBudget(Long.MAX_VALUE, Long.MAX_VALUE).call("Ann");
        String words =
                "Executable = \"/bin/x\"; BatchSystem = \"slurm\"; QueueName = \"short\"; OutputSandboxBaseDestURI = \"gsiftp://localhost\"; "
                        + "A = { " + "1, ".repeat(9_000) + " }";
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 28; i++) {
                        Jdl.parse(words, call);
                    }
                })
                .hasFieldOrPropertyWithValue("code", FaultCode.TOO_LARGE)
                .hasMessage(
                        "the job descriptions of one call have more than 500000 words together: send them in several calls; nothing was registered");
    }

    @Test
    void aDescriptionThatIsLetGoMakesRoomForTheNext() throws Exception {
        try (CallBudget call = budget.call("Ann")) {
            for (int i = 0; i < 100; i++) {
                call.expand(MIB);
                call.keep(100);
                call.release();
                assertThat(budget.held()).isLessThan(MIB);
            }
            call.keep(MIB);
            assertThat(budget.held()).isGreaterThan(MIB);
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void aSmallHeapHasRoomForTheLargestDescriptionOfEachLanguage() throws Exception {
        ExpansionBudget small = ExpansionBudget.ofHeap(256L * MIB);
        assertThat(small.total()).isEqualTo(16 * MIB);
        List<DescriptionLanguage> languages = List.of(Jdl.LANGUAGE, Adl.LANGUAGE, Xrsl.LANGUAGE);
        List<String> texts = List.of(
                "[ Executable=\"/bin/a\"; BatchSystem=\"b\"; QueueName=\"q\"; Environment = { "
                        + "\"A=1\",".repeat(9_000) + " }; ]",
                "<ActivityDescription><Application><Executable><Path>/bin/a</Path>"
                        + "<Argument>1</Argument>".repeat(15_000) + "</Executable></Application></ActivityDescription>",
                "&(executable=/bin/a)(arguments=" + "a ".repeat(19_000) + ")");
        for (int i = 0; i < languages.size(); i++) {
            try (CallBudget call = small.call("Ann")) {
                assertThat(languages.get(i).read(texts.get(i), call)).isNotNull();
                assertThat(small.held()).isPositive();
            }
        }
        assertThat(small.held()).isZero();
    }

    // ---- a small text stays a small thing

    @Test
    void variablesMakeNoLargeThingOfASmallText() {
        String bomb = "&(executable=/bin/a)(rsl_substitution=(V " + "x".repeat(10_000) + "))(arguments="
                + "$(V) ".repeat(60) + ")";
        assertThatThrownBy(() -> Xrsl.LANGUAGE.read(bomb, ReadingBudget.UNBOUNDED))
                .isInstanceOf(DescriptionException.class)
                .hasMessageContaining("arguments: the values have more than " + ReadingBudget.mostOf(bomb))
                .hasMessageContaining("four times");
    }

    @Test
    void namesOfAttributesMakeNoLargeThingOfASmallText() {
        String bomb = "[ Executable=\"/bin/a\"; BatchSystem=\"b\"; QueueName=\"q\"; A=\"V=" + "x".repeat(10_000)
                + "\"; Environment={" + "A,".repeat(60) + "} ]";
        assertThatThrownBy(() -> Jdl.parse(bomb))
                .hasMessageStartingWith(
                        "Environment: the items of all lists have more than " + ReadingBudget.mostOf(bomb))
                .hasMessageContaining("four times");
    }

    @Test
    void warningsAreNoLargerThanAJobShows() throws Exception {
        String many = String.join("", Collections.nCopies(3_000, "\"A=$\","));
        assertThat(Jdl.parse("[ Executable=\"/bin/a\"; BatchSystem=\"b\"; QueueName=\"q\"; Environment={" + many
                                + "} ]")
                        .warnings())
                .hasSize(100);
    }

    // ---- what descriptions of one body share

    @Test
    void namespacesThatAllDescriptionsInheritAreCountedBeforeTheyAreCopied() {
        StringBuilder body = new StringBuilder("<ActivityDescriptions");
        for (int i = 0; i < 30; i++) {
            body.append(" xmlns:n")
                    .append(i)
                    .append("=\"")
                    .append("\u20ac".repeat(4000))
                    .append('"');
        }
        body.append('>').append("<ActivityDescription/>".repeat(9999)).append("</ActivityDescriptions>");
        ExpansionBudget small = ExpansionBudget.ofHeap(256L * MIB);
        try (CallBudget call = small.call("Ann")) {
            assertThatThrownBy(() -> Adl.LANGUAGE.split(body.toString(), call))
                    .hasFieldOrPropertyWithValue("code", FaultCode.TOO_LARGE);
        }
        assertThat(small.held()).isZero();
    }
}
