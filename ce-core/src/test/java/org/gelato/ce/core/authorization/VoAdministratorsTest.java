package org.gelato.ce.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.LinkedIdentity;
import org.gelato.ce.core.identity.TokenIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VoAdministratorsTest {
    private static final GridIdentity ALICE =
            new GridIdentity("CN=Alice Example,O=People", List.of(), null, false, Instant.MAX, List.of());
    private static final String LIST = """
            # who watches what
            "/O=People/CN=Alice Example" dteam
            "/O=People/CN=Alice Example" atlas.example-1 # since May
            "CN=Bob,O=People" dteam
            "https://iam.example.org/,5f0c d" cms
            """;

    private static TokenIdentity token(String name) {
        return new TokenIdentity(
                "https://iam.example.org/", name, null, Set.of(), false, List.of(), "", null, Instant.MAX);
    }

    @Test
    void aLineIsForOneNameAndOneVo() {
        VoAdministrators list = VoAdministrators.parse(LIST);
        assertThat(list.of(ALICE)).containsExactlyInAnyOrder("dteam", "atlas.example-1");
        assertThat(list.of(token("5f0c d"))).containsExactly("cms");
        assertThat(list.of(token("5f0c"))).isEmpty();
        Identity linked = new LinkedIdentity(token("x"), ALICE);
        assertThat(list.of(linked)).contains("dteam");
        Identity lower = new GridIdentity("CN=alice example,O=People", List.of(), null, false, Instant.MAX, List.of());
        assertThat(list.of(lower)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/CN=Alice",
                "/CN=Alice Example dteam",
                "\"/CN=Alice\" dteam cms",
                "\"/CN=Alice\" /dteam",
                "\"/CN=Alice dteam",
                "nobody dteam",
                "https://iam.example.org/ dteam",
                "\"https://iam.example.org/ group=/cms\" cms"
            })
    void aListWithALineThatIsNoneIsRefusedWhole(String line) {
        assertThatThrownBy(() -> VoAdministrators.parse(LIST + line + "\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("line 6: ");
    }

    @Test
    void theListIsReadAgainAndABrokenOneLeavesTheLastInForce(@TempDir Path directory) throws IOException {
        Path map = Files.writeString(directory.resolve("map"), "\"/O=People/CN=Alice Example\" alice\n");
        Path list = Files.writeString(directory.resolve("vo-admins"), LIST);
        GridmapAuthorizer site = new GridmapAuthorizer(
                new GridmapConfig(map, null, null, Duration.ofSeconds(2), null, list), "root"::equals, a -> "");
        assertThat(site.administered(ALICE)).contains("dteam");
        Files.writeString(list, "half a line\n");
        site.refresh();
        assertThat(site.administered(ALICE)).contains("dteam");
        assertThat(site.fileState().get(list)).contains("line 1");
        Files.writeString(list, "# nobody any more\n");
        site.refresh();
        assertThat(site.administered(ALICE)).isEmpty();
    }
}
