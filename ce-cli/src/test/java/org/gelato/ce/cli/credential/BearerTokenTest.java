package org.gelato.ce.cli.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.cli.terminal.CliException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BearerTokenTest {
    @TempDir
    private Path directory;

    private final Map<String, String> environment = new HashMap<>();

    private Optional<BearerToken> find() {
        return BearerToken.find(environment, directory, UserProxy.uid());
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void theFirstPlaceThatHasATokenCounts() throws IOException {
        assertThat(find()).isEmpty();
        write("bt_u" + UserProxy.uid(), "from.tmp.x\n");
        assertThat(find().orElseThrow().text()).isEqualTo("from.tmp.x");
        Path runtime = Files.createDirectory(directory.resolve("runtime"));
        environment.put("XDG_RUNTIME_DIR", runtime.toString());
        assertThat(find().orElseThrow().text()).isEqualTo("from.tmp.x");
        write("runtime/bt_u" + UserProxy.uid(), " from.runtime.x== ");
        assertThat(find().orElseThrow().text()).isEqualTo("from.runtime.x==");
        environment.put("BEARER_TOKEN_FILE", write("file", "from.file.x").toString());
        assertThat(find().orElseThrow().text()).isEqualTo("from.file.x");
        environment.put("BEARER_TOKEN", "from.variable.x");
        assertThat(find().orElseThrow()).hasToString("BearerToken[BEARER_TOKEN]");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "a b", "Bearer a", "a\"b", "=", "a=b", "a\u00e9"})
    void whatIsNoTokenIsAnErrorAndNotPassedOver(String text) throws IOException {
        write("bt_u" + UserProxy.uid(), "valid.token.x");
        environment.put("BEARER_TOKEN_FILE", write("file", text).toString());
        assertThatThrownBy(this::find).isInstanceOf(CliException.class).hasMessageContaining("file is no bearer token");
        environment.put("BEARER_TOKEN", text);
        assertThatThrownBy(this::find)
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith("what is in BEARER_TOKEN is no bearer token");
    }

    @Test
    void aNamedFileThatIsAbsentIsAnError() throws IOException {
        write("bt_u" + UserProxy.uid(), "valid.token.x");
        environment.put("BEARER_TOKEN_FILE", directory.resolve("absent").toString());
        assertThatThrownBy(this::find).isInstanceOf(CliException.class).hasMessageContaining("does not exist");
    }

    @Test
    void aFileOfAnotherUserOrWithoutEndIsNotTaken() throws IOException {
        write("bt_u4711", "planted.token.x");
        assertThatThrownBy(() -> BearerToken.find(environment, directory, 4711))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("belongs to another user");
        environment.put("BEARER_TOKEN_FILE", write("long", "x".repeat(20_000)).toString());
        assertThatThrownBy(this::find).isInstanceOf(CliException.class).hasMessageContaining("too long");
    }
}
