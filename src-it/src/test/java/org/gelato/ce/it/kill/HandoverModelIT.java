package org.gelato.ce.it.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.end.EndRule;
import org.gelato.ce.core.step.Step;
import org.gelato.ce.testkit.model.ModelChecker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The models of docs/developer/model.md: what holds for all orders of steps and faults, and that they have the code's steps. */
class HandoverModelIT {
    private static final Path MODELS = Path.of("..", "model");
    private static final Path HANDOVER = MODELS.resolve("handover.pml");
    private static final Path RENEWAL = MODELS.resolve("renewal.pml");
    private static final Pattern STEP = Pattern.compile("(?:STEP|BEFORE_THE_ROW)\\((?:\\w+, \\w+, )?([A-Z_]{4,})\\)");

    private static final Pattern RULES = Pattern.compile("(?:-> \\w+|FAILED) +/\\* ([A-Z_]+(?:, [A-Z_]+)*) \\*/ [:)]");

    @TempDir
    Path scratch;

    private ModelChecker.Result check(Path model, String defines, int level) {
        ModelChecker.missing().ifPresent(reason -> assumeTrue(false, reason + ", so the model is not checked"));
        return new ModelChecker(model, scratch).check("check", List.of(defines.split(" ")), level);
    }

    private void holds(Path model, String defines) {
        ModelChecker.Result result = check(model, defines, 1);
        System.out.println(
                "HandoverModel: " + model.getFileName() + " " + defines + ": " + result.states() + " states");
        assertThat(result.error()).as(result.output()).isNull();
        // A model that can do nothing breaks nothing.
        assertThat(result.states()).isGreaterThan(50);
    }

    @ParameterizedTest
    @CsvSource({"JOBS=1 FAULTS=1"})
    void promisesOfOneJobHold(String defines) {
        holds(HANDOVER, defines);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({
        "JOBS=1 FAULTS=1 REMOTE",
        "JOBS=1 FAULTS=0 RESTORE REMOTE",
        "JOBS=1 FAULTS=2",
        "JOBS=1 FAULTS=2 REMOTE",
        "JOBS=1 FAULTS=0 RESTORE",
        "JOBS=2 FAULTS=1 UNPURGED REMOTE"
    })
    void promisesOfMoreHold(String defines) {
        holds(HANDOVER, defines);
    }

    @ParameterizedTest
    @EnabledIfSystemProperty(named = "gelato.soak.minutes", matches = "[1-9].*")
    @CsvSource({"JOBS=1 FAULTS=3", "JOBS=1 FAULTS=3 REMOTE", "JOBS=2 FAULTS=0", "JOBS=2 FAULTS=1 UNPURGED"})
    void promisesHoldWithMoreFaults(String defines) {
        holds(HANDOVER, defines);
    }

    @Test
    void promisesOfRenewalHold() {
        holds(RENEWAL, "FAULTS=3");
    }

    /** A model that finds no mistake proves nothing. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BREAK_FENCE | the payload begins before its wrapper has claimed",
                "BREAK_END_CLAIM FAULTS=1 | a job runs after its end: of two hand-overs one was followed, and no claim taken",
            })
    void anErrorInTheOrderOfStepsIsFound(String error, String what) {
        assertThat(check(HANDOVER, error, 0).error()).as(what).isNotNull();
    }

    /** Whoever changes a model runs these; what the code does changes none. */
    @ParameterizedTest
    @Tag("long")
    @CsvSource(
            delimiter = '|',
            value = {
                "BREAK_DOUBT | a claim in doubt is not put back",
                "BREAK_ROWS_FIRST | rows are deleted before the sandbox is renamed",
                "BREAK_RESTORE FAULTS=0 RESTORE | jobs of a backup are handed over without a look-up",
                "BREAK_CANCEL_CLAIM FAULTS=1 | a cancelled job runs: its claim was not taken before it was shown as cancelled",
                "BREAK_CANCEL_ANSWER | a cancelled job runs: the response to the cancel counted as its end",
                "SLEEPER | who sleeps from a claim until the job was purged sends it nevertheless",
                "BREAK_MARK | the job is not marked as on its way before it is sent",
                "BREAK_LATE_OUTCOME | an outcome counts though its claim has expired",
                "BREAK_CANCEL | a cancel ends a job whose start is claimed",
                "TWICE | one submission arrives twice",
                "BREAK_TAG JOBS=2 FAULTS=1 UNPURGED REMOTE | a cancel goes to an id, whoever has it by now",
            })
    void everyOtherErrorInTheOrderOfStepsIsFound(String error, String what) {
        anErrorInTheOrderOfStepsIsFound(error, what);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BREAK_MARK | a file is marked as written whatever the row has",
                "TWO_WRITERS | two write one file at once, and the one with the older proxy dies",
            })
    void anErrorInTheOrderOfRenewalIsFound(String error, String what) {
        assertThat(check(RENEWAL, error, 0).error()).as(what).isNotNull();
    }

    /** In their order: the first that fits counts. */
    @Test
    void rulesOfEndsAreThoseOfTheCode() throws IOException {
        List<EndRule> named = RULES.matcher(Files.readString(HANDOVER))
                .results()
                .flatMap(row -> Arrays.stream(row.group(1).split(", ")))
                .map(EndRule::valueOf)
                .toList();
        assertThat(named).hasSizeGreaterThan(5).isSorted();
    }

    @Test
    void stepsAreThoseOfTheCode() throws IOException {
        Set<String> named = new TreeSet<>();
        for (Path model : List.of(HANDOVER, RENEWAL)) {
            Matcher step = STEP.matcher(Files.readString(model));
            while (step.find()) {
                named.add(step.group(1));
            }
        }
        assertThat(named)
                .isEqualTo(Arrays.stream(Step.values()).map(Step::name).collect(Collectors.toCollection(TreeSet::new)));
    }
}
