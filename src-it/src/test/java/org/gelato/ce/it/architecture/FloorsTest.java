package org.gelato.ce.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each package stands on a floor of its module and imports only from floors below; docs/developer/architecture.md shows them. */
class FloorsTest {
    private static final JavaClasses CLASSES = ArchitectureTest.CLASSES;

    /** From the ground up. Packages on one floor do not know each other. */
    private static final List<Set<String>> CORE = List.of(
            Set.of("fault"),
            Set.of("base"),
            Set.of("account", "db", "step"),
            Set.of("identity"),
            Set.of("audit", "route"),
            Set.of("authorization", "lease"),
            Set.of("job"),
            Set.of("accounting", "event", "lrms", "wrapper"),
            Set.of("end", "sandbox"),
            Set.of("message"),
            Set.of("intake"),
            Set.of("command"),
            Set.of("admission", "follow", "monitoring"),
            Set.of("service"),
            Set.of("delegation", "sweep"));

    private static final List<Set<String>> WS = List.of(
            Set.of("credential", "web"),
            Set.of("tls", "token"),
            Set.of("authentication"),
            Set.of("http"),
            Set.of("audit", "glue2", "sandbox", "soap"),
            Set.of("admin", "arcrest", "cream2", "dashboard", "gridftp", "push", "server"),
            Set.of("config"),
            Set.of("setup"),
            Set.of("check"),
            Set.of("parts"),
            Set.of("boot"));

    static Stream<Arguments> modules() {
        return Stream.of(Arguments.of("org.gelato.ce.core", CORE), Arguments.of("org.gelato.ce.ws", WS));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void importsGoDownward(String module, List<Set<String>> floors) {
        for (int floor = 0; floor < floors.size(); floor++) {
            for (String room : floors.get(floor)) {
                List<String> forbidden = new ArrayList<>();
                floors.subList(floor, floors.size()).stream()
                        .flatMap(Set::stream)
                        .filter(other -> !other.equals(room))
                        .forEach(other -> forbidden.add(inside(module, other)));
                noClasses()
                        .that()
                        .resideInAPackage(inside(module, room))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(forbidden.toArray(String[]::new))
                        .because("a package imports only from floors below its own")
                        .allowEmptyShould(forbidden.isEmpty())
                        .check(CLASSES);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void everyPackageHasAFloor(String module, List<Set<String>> floors) {
        Set<String> found = new TreeSet<>();
        for (JavaClass c : CLASSES) {
            if (c.getPackageName().startsWith(module + ".")) {
                found.add(c.getPackageName().substring(module.length() + 1).split("\\.")[0]);
            } else {
                assertThat(c.getPackageName()).as("package of %s", c.getName()).isNotEqualTo(module);
            }
        }
        Set<String> known = new TreeSet<>();
        floors.forEach(known::addAll);
        assertThat(found).isEqualTo(known);
    }

    @ParameterizedTest
    @MethodSource("ringFree")
    void packagesMakeNoRing(String slices) {
        SlicesRuleDefinition.slices().matching(slices).should().beFreeOfCycles().check(CLASSES);
    }

    static Stream<String> ringFree() {
        return Stream.of(
                "org.gelato.ce.description.(*)..",
                "org.gelato.ce.core.(*)..",
                "org.gelato.ce.ws.(*)..",
                "org.gelato.ce.cli.(*)..",
                "org.gelato.ce.blahbridge.(*)..");
    }

    /** What tests share lies below them all, or a change of one test class reaches any other. */
    @Test
    void testPackagesOfTheCoreMakeNoRing() {
        JavaClasses tests = new ClassFileImporter()
                .withImportOption(place -> place.contains("-tests.jar") || place.contains("/test-classes/"))
                .importPackages("org.gelato.ce.core");
        assertThat(tests).hasSizeGreaterThan(200);
        SlicesRuleDefinition.slices()
                .matching("org.gelato.ce.core.(**)")
                .should()
                .beFreeOfCycles()
                .check(tests);
    }

    private static String inside(String module, String room) {
        return module + "." + room + "..";
    }
}
