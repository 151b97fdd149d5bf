package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScriptPartTest {
    /** Bash prints a function as it has understood it: without comments, in a layout of its own. */
    @ParameterizedTest
    @EnumSource
    void whatIsLeftOutOfAPartMeansNothing(ScriptPart part) throws Exception {
        assertThat(understood(part.text())).isEqualTo(understood(part.source())).contains("__gelato_");
        assertThat(part.text().lines()).noneMatch(line -> line.isBlank() || line.startsWith("#"));
    }

    /** Who measures a wait by the wall clock waits for an hour more when it is set back by one. Certificates and tokens end by it. */
    @ParameterizedTest
    @EnumSource
    void waitsAreMeasuredByAClockThatNobodySets(ScriptPart part) {
        assertThat(part.text()
                        .replaceAll("-[nz] \\$__gelato_until_given_up", "")
                        .lines())
                .noneMatch(line -> line.contains("__gelato_time") && line.matches(".*(until|began|failing|limit).*"));
    }

    private static String understood(String script) throws IOException, InterruptedException {
        Process bash = new ProcessBuilder("bash", "-c", "source /dev/stdin && declare -f part")
                .redirectErrorStream(true)
                .start();
        try (OutputStream in = bash.getOutputStream()) {
            in.write(("part() {\n" + script + "\n}\n").getBytes(StandardCharsets.UTF_8));
        }
        String text = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(text).isZero();
        return text;
    }
}
