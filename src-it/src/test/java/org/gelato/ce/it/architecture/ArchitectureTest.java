package org.gelato.ce.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.RequiredScopes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows of docs/developer/design.md section 1: every module points at ce-core, ce-core at what service and client share alone, and only ce-ws wires them. */
class ArchitectureTest {
    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(place -> !place.contains("-tests.jar"))
            .importPackages("org.gelato.ce");

    private static final String[] SHARED = {"org.gelato.ce.description..", "org.gelato.ce.json.."};
    private static final String CORE = "org.gelato.ce.core..";
    private static final String BRIDGE = "org.gelato.ce.blahbridge..";
    private static final String LRMS = "org.gelato.ce.lrms..";
    private static final String WS = "org.gelato.ce.ws..";
    private static final String CLI = "org.gelato.ce.cli..";
    private static final String IT = "org.gelato.ce.it..";
    private static final String TESTKIT = "org.gelato.ce.testkit..";
    private static final String PERF = "org.gelato.ce.perf..";
    private static final int MAX_PARAMETERS = 8;
    private static final String BENCHMARKS = "org.gelato.ce.benchmarks..";

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }

    @Test
    void whatServiceAndClientShareDependsOnNoOtherModule() {
        check(noClasses()
                .that()
                .resideInAnyPackage(SHARED)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(CORE, BRIDGE, LRMS, WS, CLI, IT, TESTKIT, PERF, BENCHMARKS));
    }

    @Test
    void coreDependsOnWhatServiceAndClientShareAlone() {
        check(noClasses()
                .that()
                .resideInAPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BRIDGE, LRMS, WS, CLI, IT));
    }

    @Test
    void coreSpeaksNeitherSoapNorHttp() {
        check(noClasses()
                .that()
                .resideInAPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "jakarta..",
                        "javax.servlet..",
                        "org.apache.catalina..",
                        "org.apache.tomcat..",
                        "com.sun.xml.ws.."));
    }

    @Test
    void bridgeAndBatchSystemsKnowOnlyCore() {
        check(noClasses()
                .that()
                .resideInAPackage(BRIDGE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(LRMS, WS, CLI, IT));
        check(noClasses()
                .that()
                .resideInAPackage(LRMS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BRIDGE, WS, CLI, IT));
    }

    @Test
    void nothingKnowsItsOwnMeasurement() {
        check(noClasses()
                .that()
                .resideInAnyPackage(CORE, BRIDGE, LRMS, WS, CLI, IT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(PERF, BENCHMARKS));
    }

    @Test
    void theProductKnowsNoTestKit() {
        check(noClasses()
                .that()
                .resideInAnyPackage(CORE, BRIDGE, LRMS, WS, CLI)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(TESTKIT));
        check(noClasses()
                .that()
                .resideInAPackage(TESTKIT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(CORE, BRIDGE, LRMS, WS, CLI, IT));
    }

    @Test
    void theCommandLineKnowsOnlyTheWire() {
        check(noClasses()
                .that()
                .resideInAPackage(CLI)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(CORE, BRIDGE, LRMS, WS, IT, "java.sql..", "org.jdbi.."));
    }

    @Test
    void onlyTheIntegrationKnowsTheServices() {
        check(noClasses()
                .that()
                .resideInAnyPackage(CORE, BRIDGE, LRMS, CLI)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(WS));
    }

    /** They are found by their type: one more is one module, and no line of the services. */
    @Test
    void theServicesKnowNoKindOfBatchSystem() {
        check(noClasses()
                .that()
                .resideInAPackage(WS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(LRMS, "org.gelato.ce.blahbridge.fork..", "org.gelato.ce.blahbridge.blahp.."));
    }

    /** But where files of other CEs, which name them in their way, are read. */
    @ParameterizedTest
    @ValueSource(strings = {"ce-ws", "ce-cli", "packaging"})
    void noBatchSystemThatIsAModuleIsNamed(String module) throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("..", module, "src/main/java"))) {
            for (Path source : sources.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().contains("/setup/migration/"))
                    .toList()) {
                assertThat(Files.readString(source)).as("%s", source).doesNotContainPattern("(?i)slurm|torque");
            }
        }
    }

    @Test
    void onlyThePartsAndWhatPreparesAStartKnowTheHelper() {
        check(noClasses()
                .that()
                .resideInAPackage(WS)
                .and()
                .resideOutsideOfPackages(
                        "org.gelato.ce.ws.parts..",
                        "org.gelato.ce.ws.check",
                        "org.gelato.ce.ws.setup",
                        "org.gelato.ce.ws.config")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BRIDGE));
    }

    /** With more, arguments of one type are confused, and the class does two jobs; a record names its fields where it is made. */
    @Test
    void noClassNeedsMoreThanEightThings() {
        assertThat(CLASSES.stream()
                        .filter(c -> !c.isRecord() && !c.isEnum() && !c.isAnonymousClass())
                        .flatMap(c -> c.getConstructors().stream())
                        .filter(c -> c.getRawParameterTypes().size() > MAX_PARAMETERS)
                        .map(c -> c.getOwner().getName() + " takes "
                                + c.getRawParameterTypes().size()))
                .as(
                        "constructors with more than %s parameters: make parts of arguments that travel together",
                        MAX_PARAMETERS)
                .isEmpty();
    }

    /** It removes its gauges and registers them again; /metrics fails where it is read meanwhile. */
    @Test
    void gaugesAreNeverRemoved() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.micrometer.core.instrument.MultiGauge"));
    }

    @Test
    void webServicesHaveNoSql() {
        check(noClasses()
                .that()
                .resideInAPackage(WS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.jdbi.."));
        check(noClasses()
                .that()
                .resideInAnyPackage("org.gelato.ce.ws.cream2..", "org.gelato.ce.ws.soap..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.sql.."));
    }

    /** One table says which scope a token needs for what, and no servlet or filter learns who calls without asking it. */
    @Test
    void whoFindsOutTheCallerAsksTheTableOfScopes() {
        Set<String> finders = new TreeSet<>();
        Set<String> checked = new TreeSet<>();
        for (JavaClass c : CLASSES) {
            boolean finds = calls(c, CallerResolver.class, "resolve") || calls(c, CallerResolver.class, "authenticate");
            if (finds && !c.isAssignableTo(CallerResolver.class)) {
                finders.add(outermost(c));
            }
            if (calls(c, RequiredScopes.class, "check") || calls(c, RequiredScopes.class, "permits")) {
                checked.add(outermost(c));
            }
        }
        assertThat(finders).contains(RequiredScopes.class.getName());
        assertThat(checked).as("ask the table of scopes").containsAll(finders);
        check(noClasses()
                .that()
                .resideInAPackage(WS)
                .and()
                .doNotHaveFullyQualifiedName(RequiredScopes.class.getName())
                .should()
                .callMethod(Caller.class, "require", Permission[].class)
                .orShould()
                .callMethod(Identity.class, "permits", Permission.class));
    }

    private static String outermost(JavaClass c) {
        return c.getName().replaceFirst("\\$.*", "");
    }

    private static boolean calls(JavaClass c, Class<?> owner, String method) {
        return c.getAccessesFromSelf().stream()
                .anyMatch(access -> access.getTargetOwner().isAssignableTo(owner)
                        && access.getName().equals(method));
    }

    /** Each protocol is asked for by somebody: a row that nobody uses protects nothing. */
    @Test
    void everyProtocolOfTheTableOfScopesIsUsed() {
        for (RequiredScopes.Protocol protocol : RequiredScopes.Protocol.values()) {
            assertThat(CLASSES.stream()
                            .filter(c -> !c.isEquivalentTo(RequiredScopes.class)
                                    && !c.isEquivalentTo(RequiredScopes.Protocol.class))
                            .flatMap(c -> c.getFieldAccessesFromSelf().stream())
                            .anyMatch(access -> access.getTargetOwner().isEquivalentTo(RequiredScopes.Protocol.class)
                                    && access.getName().equals(protocol.name())))
                    .as("%s is used", protocol)
                    .isTrue();
        }
    }

    /** The setup of a site runs before any start, and no server uses it. The journal is read by a command of its own. */
    @Test
    void processesAreStartedOnlyAtStartUp() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(
                        "org.gelato.ce.core.db..", "org.gelato.ce.ws.setup..", BRIDGE, IT, TESTKIT, CLI)
                .and()
                .doNotHaveSimpleName("ServerLogs")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ProcessBuilder.class));
        check(noClasses().should().callMethod(Runtime.class, "exec", String.class));
        check(noClasses().should().callMethod(Runtime.class, "exec", String[].class));
    }
}
