package org.gelato.ce.cli.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.gelato.ce.cli.http.PathText;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.OutputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputServiceTest {
    private static List<OutputFile> parse(String json) {
        return OutputService.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void listHoldsNamesAndSizes() {
        assertThat(parse("{\"files\":[{\"name\":\"a\",\"size\":5},{\"name\":\"b/c\",\"size\":0,\"x\":1}]}"))
                .containsExactly(new OutputFile("a", 5), new OutputFile("b/c", 0));
        assertThat(parse("[{\"name\":\"a\",\"size\":5}]")).containsExactly(new OutputFile("a", 5));
        assertThat(parse("{\"files\":[]}")).isEmpty();
        assertThat(parse("[]")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{}", "[3]", "{\"files\":3}", "{\"files\":[{}]}", "{\"files\":[{\"name\":7}]}", "<html>"})
    void otherResponsesAreReported(String json) {
        assertThatThrownBy(() -> parse(json)).isInstanceOf(CliException.class);
    }

    @Test
    void namesAreEncodedPartByPart() {
        assertThat(PathText.encode("a b/ü?#%.out")).isEqualTo("a%20b/%C3%BC%3F%23%25.out");
    }
}
