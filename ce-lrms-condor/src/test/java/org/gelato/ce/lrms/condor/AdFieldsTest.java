package org.gelato.ce.lrms.condor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class AdFieldsTest {
    @Test
    void stringsNumbersAndWhatIsUndefined() {
        // of HTCondor 23.9.6
        assertThat(AdFields.of("1\t\"a\\nb\\\"c\\\\d\\te $(Y)\"\tundefined\ttrue\t2.5", 5))
                .containsExactly("1", "a\nb\"c\\d\te $(Y)", null, "true", "2.5");
        assertThat(AdFields.of("\"\\303\\251\\001\"", 1)).containsExactly("\u00c3\u00a9\u0001");
    }

    @Test
    void aLineWithMoreFewerOrOpenValuesIsNone() {
        for (String line : List.of("1", "1\t2\t3", "1\t\"open", "1\t\"open\\", "1\t\"x\"y", "")) {
            assertThat(AdFields.of(line, 2)).as(line).isNull();
        }
    }

    @Property
    void whateverUsersWriteIsReadBackAndNothingElse(@ForAll @Size(min = 1, max = 5) List<String> values) {
        String line = values.stream().map(AdFieldsTest::written).collect(Collectors.joining("\t"));
        assertThat(line).doesNotContain("\n");
        assertThat(AdFields.of(line, values.size())).isEqualTo(values);
    }

    @Property
    void anyLineIsReadOrNone(@ForAll String line) {
        List<String> values = AdFields.of(line, 3);
        assertThat(values == null || values.size() == 3).isTrue();
    }

    /** As HTCondor writes a string. */
    private static String written(String text) {
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\t", "\\t")
                        .replace("\r", "\\r")
                + '"';
    }
}
