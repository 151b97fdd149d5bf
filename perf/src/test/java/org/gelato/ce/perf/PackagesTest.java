package org.gelato.ce.perf;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** As FloorsTest of src-it, which does not know this module. */
class PackagesTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.gelato.ce.perf");

    @Test
    void packagesMakeNoRing() {
        slices().matching("org.gelato.ce.perf.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyTheCommandKnowsScenarios() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.gelato.ce.perf.load..",
                        "org.gelato.ce.perf.measure..",
                        "org.gelato.ce.perf.report..",
                        "org.gelato.ce.perf.site..",
                        "org.gelato.ce.perf.stub..",
                        "org.gelato.ce.perf.trivial..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.gelato.ce.perf.budgets..", "org.gelato.ce.perf.scenario..")
                .check(CLASSES);
    }
}
