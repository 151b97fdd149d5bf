package org.gelato.ce.it.architecture;

import java.util.List;
import java.util.Optional;

/** What {@link StaticInitializersTest} must find, and what it must not. */
@SuppressWarnings("ClassInitializationDeadlock")
final class InitializationCycles {
    private InitializationCycles() {}

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

    /** Harmless: nobody needs it. */
    static final class Last {
        static final List<String> ALL = List.of(First.NAME, Second.NAME);
    }

    static final class Referring {
        static final Optional<String> NAME = Optional.of("name").map(Referred::same);
    }

    static final class Referred {
        static final Optional<String> NAME = Referring.NAME;

        static String same(String name) {
            return name;
        }
    }

    static class Parent {
        static final Parent CHILD = new Child();
    }

    /** Has no static initializer of its own. */
    static final class Child extends Parent {}

    interface WithDefault {
        WithDefault ONE = new WithDefaultInherited();

        default void run() {}
    }

    static final class WithDefaultInherited implements WithDefault {}

    static class Made {
        static final Made ONE = Maker.make();
    }

    /** Its anonymous class is used by it alone, but initializes another one. */
    static final class Maker {
        static Made make() {
            return new Made() {};
        }
    }

    static class Called {
        static final int LENGTH = lengthOf(new Called());

        static int lengthOf(Called called) {
            return called.length();
        }

        int length() {
            return 0;
        }
    }

    static final class Overriding {
        static final int LENGTH = Called.LENGTH;

        static final class Longer extends Called {
            @Override
            int length() {
                return Overriding.LENGTH;
            }
        }
    }

    /** Harmless: a class initializes only those interfaces that have a default method. */
    interface WithoutDefault {
        WithoutDefault ONE = new WithoutDefaultInherited();

        void run();
    }

    static final class WithoutDefaultInherited implements WithoutDefault {
        @Override
        public void run() {}
    }

    /** Harmless: the class of the constant is used by the enum alone. */
    enum WithBody {
        ONE {
            @Override
            String word() {
                return "one";
            }
        };

        abstract String word();
    }
}
