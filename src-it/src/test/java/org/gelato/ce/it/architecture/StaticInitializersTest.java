package org.gelato.ce.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No static initializer needs, by whatever calls, one that needs it (JVM specification, section 5.5): which of the two comes first
 * decides what the other finds, and two threads that begin with one each wait for each other for ever.
 */
class StaticInitializersTest {
    @Test
    void noStaticInitializerNeedsOneThatNeedsIt() {
        assertThat(cycles(ArchitectureTest.CLASSES.stream().toList()))
                .as("static initializers that need each other: give what both need a class of its own")
                .isEmpty();
    }

    @Test
    void aCycleIsFound() {
        Stream<Class<?>> classes = Stream.of(First.class, Second.class, Second.Helper.class, Last.class);
        JavaClasses imported = new ClassFileImporter().importClasses(classes.toList());
        assertThat(cycles(imported.stream().toList()))
                .singleElement()
                .satisfies(c -> assertThat(c).contains("First", "Second").doesNotContain("Last"));
    }

    /** One way round for those that need each other, by their names. */
    private static Collection<String> cycles(List<JavaClass> classes) {
        Map<JavaClass, Set<JavaClass>> needs = new HashMap<>();
        classes.stream().filter(c -> c.getStaticInitializer().isPresent()).forEach(c -> needs.put(c, neededBy(c)));
        Map<Set<String>, String> cycles = new HashMap<>();
        for (JavaClass start : needs.keySet()) {
            List<String> path = pathBackTo(start, needs);
            if (!path.isEmpty()) {
                cycles.putIfAbsent(Set.copyOf(path), String.join(" -> ", path));
            }
        }
        return cycles.values();
    }

    /** The classes that a class's static initializer has initialized, where they have one themselves. */
    private static Set<JavaClass> neededBy(JavaClass start) {
        Set<JavaClass> needed = new HashSet<>();
        initialize(start, needed);
        Set<JavaCodeUnit> seen = new HashSet<>();
        Deque<JavaCodeUnit> open = new ArrayDeque<>();
        open.add(start.getStaticInitializer().orElseThrow());
        while (!open.isEmpty()) {
            JavaCodeUnit unit = open.remove();
            if (!seen.add(unit)) {
                continue;
            }
            unit.getCallsFromSelf()
                    .forEach(call -> call.getTarget().resolveMember().ifPresent(called -> {
                        if (!(called instanceof JavaMethod)
                                || called.getModifiers().contains(JavaModifier.STATIC)) {
                            initialize(called.getOwner(), needed);
                        }
                        open.add((JavaCodeUnit) called);
                    }));
            unit.getFieldAccesses()
                    .forEach(access -> access.getTarget().resolveMember().ifPresent(field -> {
                        if (field.getModifiers().contains(JavaModifier.STATIC)) {
                            initialize(field.getOwner(), needed);
                        }
                    }));
        }
        needed.remove(start);
        return needed;
    }

    private static void initialize(JavaClass one, Set<JavaClass> needed) {
        for (JavaClass c = one; c != null; c = c.getRawSuperclass().orElse(null)) {
            if (c.getStaticInitializer().isPresent()) {
                needed.add(c);
            }
        }
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

    static final class First {
        static final String NAME = String.valueOf("first");
        static final List<String> ALL = List.of(NAME, Second.Helper.name());
    }

    static final class Second {
        static final String NAME = String.valueOf("second");
        static final List<String> ALL = List.of(NAME, First.NAME);

        static final class Helper {
            static String name() {
                return Second.NAME;
            }
        }
    }

    static final class Last {
        static final List<String> ALL = List.of(First.NAME, Second.NAME);
    }
}
