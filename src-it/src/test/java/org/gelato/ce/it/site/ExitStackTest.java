package org.gelato.ce.it.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.testkit.site.ExitStack;
import org.junit.jupiter.api.Test;

class ExitStackTest {
    private final List<String> closed = new ArrayList<>();

    private AutoCloseable part(String name) {
        return () -> closed.add(name);
    }

    @Test
    void partsAreClosedOnceTheLastFirstAlsoWhereOneFails() {
        ExitStack open = new ExitStack("the site");
        open.push(part("first"));
        open.push(() -> {
            throw new IOException("no room");
        });
        open.push(part("last"));

        assertThatThrownBy(open::close)
                .hasMessage("not everything of the site could be closed: java.io.IOException: no room");

        assertThat(closed).containsExactly("last", "first");
        new ExitStack("another").close();
    }

    /** A process that waits with an open part. */
    static final class Waiting {
        private Waiting() {}

        /** @param arguments none */
        public static void main(String[] arguments) throws IOException {
            new ExitStack("a process").push(() -> System.out.println("closed"));
            System.out.println("open");
            System.in.read();
        }
    }

    @Test
    void aSignalClosesWhatIsOpen() throws Exception {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Waiting.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo("open");
            // Process.destroy would close the stream as well.
            process.toHandle().destroy();

            assertThat(out.readLine()).isEqualTo("closed");
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }
}
