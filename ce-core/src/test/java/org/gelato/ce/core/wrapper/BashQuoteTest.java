package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.gelato.ce.core.wrapper.peer.Bash;

class BashQuoteTest {
    @Property(tries = 60)
    void everyTextReachesByteForByte(@ForAll("texts") List<String> texts) throws IOException {
        Path directory = Files.createTempDirectory("quote");
        String script = "printf '%s\\0' " + texts.stream().map(BashQuote::quote).collect(Collectors.joining(" "));
        assertThat(Bash.split(Bash.run(script, directory, Map.of()))).isEqualTo(texts);
        Bash.remove(directory);
    }

    @Example
    void nulIsRefused() {
        assertThatThrownBy(() -> BashQuote.quote("a\0b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Provide
    Arbitrary<List<String>> texts() {
        Arbitrary<String> any = Arbitraries.strings()
                .ofMaxLength(60)
                .filter(text -> text.indexOf('\0') < 0
                        && StandardCharsets.UTF_8.newEncoder().canEncode(text));
        Arbitrary<String> shell = Arbitraries.of(
                        "'", "\"", "\\", "$", "`", "$(id)", "\n", "\r", "!", "*", "~", " ", "a", "\u00e9")
                .list()
                .ofMaxSize(20)
                .map(parts -> String.join("", parts));
        return Arbitraries.oneOf(any, shell).list().ofMinSize(1).ofMaxSize(30);
    }
}
