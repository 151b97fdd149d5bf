package org.gelato.ce.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * No class needs, to be initialized, one that needs it (JVM specification, section 5.5): which of the two comes first decides what
 * the other finds, and two threads that begin with one each wait for each other for ever.
 *
 * <p>A call is followed to every override among the imported classes, and a method reference as if it were called at once. Calls that
 * the libraries make are not followed.
 */
class StaticInitializersTest {
    private static final String FIXTURE = InitializationCycles.class.getName() + "$";

    @Test
    void noStaticInitializerNeedsOneThatNeedsIt() {
        assertThat(cycles(ArchitectureTest.CLASSES))
                .as("classes that need each other to be initialized: give what both need a class of its own")
                .isEmpty();
    }

    @Test
    void aCycleIsFound() {
        JavaClasses fixture = new ClassFileImporter()
                .withImportOption(place -> place.contains("InitializationCycles$"))
                .importPackagesOf(InitializationCycles.class);
        assertThat(cycles(fixture))
                .extracting(cycle -> cycle.replace(FIXTURE, ""))
                .containsExactlyInAnyOrder(
                        "First -> Second -> First",
                        "Referred -> Referring -> Referred",
                        "Child -> Parent -> Child",
                        "WithDefault -> WithDefaultInherited -> WithDefault",
                        "Made -> Maker$1 -> Made",
                        "Called -> Overriding -> Called");
    }

    /** One way round for those that need each other, by their names. */
    private static Collection<String> cycles(JavaClasses classes) {
        Map<JavaClass, Set<JavaClass>> needs = new LinkedHashMap<>();
        classes.stream().sorted(Comparator.comparing(JavaClass::getName)).forEach(c -> needs.put(c, neededBy(c)));
        Map<Set<String>, String> cycles = new LinkedHashMap<>();
        for (JavaClass start : needs.keySet()) {
            List<String> path = pathBackTo(start, needs);
            if (!path.isEmpty()) {
                cycles.putIfAbsent(Set.copyOf(path), String.join(" -> ", path));
            }
        }
        return cycles.values();
    }

    /** The classes that are initialized while this one is. */
    private static Set<JavaClass> neededBy(JavaClass start) {
        Set<JavaClass> needed = supertypesInitializedBefore(start);
        Set<JavaCodeUnit> seen = new HashSet<>();
        Deque<JavaCodeUnit> open = new ArrayDeque<>();
        start.getStaticInitializer().ifPresent(open::add);
        while (!open.isEmpty()) {
            JavaCodeUnit unit = open.remove();
            if (!seen.add(unit)) {
                continue;
            }
            for (JavaAccess<?> access : unit.getAccessesFromSelf()) {
                JavaMember used = access.getTarget().resolveMember().orElse(null);
                if (used instanceof JavaConstructor || (used != null && isStatic(used))) {
                    needed.add(used.getOwner());
                }
                if (used instanceof JavaCodeUnit called) {
                    open.add(called);
                    open.addAll(overriding(called));
                }
            }
        }
        needed.remove(start);
        needed.removeAll(initializedWhereverUsed(start));
        return needed;
    }

    private static Set<JavaClass> supertypesInitializedBefore(JavaClass one) {
        Set<JavaClass> supertypes = new HashSet<>();
        if (!one.isInterface()) {
            one.getRawSuperclass().ifPresent(supertypes::add);
            one.getAllRawInterfaces().stream()
                    .filter(i -> i.getMethods().stream()
                            .anyMatch(m -> !isStatic(m) && !m.getModifiers().contains(JavaModifier.ABSTRACT)))
                    .forEach(supertypes::add);
        }
        return supertypes;
    }

    /** Only code of the class around it can begin with an anonymous or local class, so these never wait for that class. */
    private static Set<JavaClass> initializedWhereverUsed(JavaClass one) {
        Set<JavaClass> around = new HashSet<>();
        JavaClass c = one;
        while (c.isAnonymousClass() || c.isLocalClass()) {
            c = c.getEnclosingClass().orElseThrow();
            around.add(c);
        }
        return around;
    }

    private static List<JavaMethod> overriding(JavaCodeUnit called) {
        if (!(called instanceof JavaMethod)
                || isStatic(called)
                || called.getModifiers().contains(JavaModifier.PRIVATE)) {
            return List.of();
        }
        String[] parameters =
                called.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
        return called.getOwner().getAllSubclasses().stream()
                .map(c -> c.tryGetMethod(called.getName(), parameters))
                .flatMap(Optional::stream)
                .toList();
    }

    private static boolean isStatic(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.STATIC);
    }

    private static List<String> pathBackTo(JavaClass start, Map<JavaClass, Set<JavaClass>> needs) {
        Map<JavaClass, JavaClass> from = new HashMap<>();
        Deque<JavaClass> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            JavaClass one = open.remove();
            for (JavaClass next : needs.getOrDefault(one, Set.of())) {
                if (next.equals(start)) {
                    List<String> path = new ArrayList<>(List.of(start.getName()));
                    for (JavaClass c = one; !c.equals(start); c = from.get(c)) {
                        path.add(1, c.getName());
                    }
                    path.add(start.getName());
                    return path;
                }
                if (from.putIfAbsent(next, one) == null) {
                    open.add(next);
                }
            }
        }
        return List.of();
    }
}
