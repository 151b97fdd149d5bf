package org.gelato.ce.core.wrapper;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The same with a script that is whole, as worker nodes get it that share no files with the CE; most of it is long. */
class WholeWrapperTest {
    @Nested
    class Job extends JobWrapperTest {
        @Override
        boolean isWhole() {
            return true;
        }
    }

    @Nested
    class Hook extends WrapperHookTest {
        @Override
        boolean isWhole() {
            return true;
        }
    }

    @Nested
    @Tag("long")
    class Signal extends WrapperSignalTest {
        @Override
        boolean isWhole() {
            return true;
        }
    }

    @Nested
    @Tag("long")
    class Messages extends WrapperMessagesTest {
        @Override
        boolean isWhole() {
            return true;
        }
    }
}
