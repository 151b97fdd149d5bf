package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ce --help} shows depends on what is installed beside it. */
class LauncherTest {
    private static final String USERS = "to use a CE\n  submit ";
    private static final String SERVER = "to run a CE\n  server run ";
    private static final String CLONE = "in this clone of the sources\n  demo ";

    @TempDir
    private Path home;

    private String help() throws IOException, InterruptedException {
        Path ce = home.resolve("ce");
        Files.copy(Path.of("../ce"), ce, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        Process process = new ProcessBuilder(ce.toString(), "--help")
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private void install(String part) throws IOException {
        Files.createDirectories(home.resolve("lib").resolve(part).resolve("lib"));
        Files.createFile(home.resolve("lib").resolve(part).resolve(part + "-1.2.3.jar"));
    }

    @Test
    void theHelpOfTheClientPackageIsForUsersAlone() throws Exception {
        install("ce-cli");
        assertThat(help())
                .startsWith("usage: ce COMMAND [ARGUMENT...]\n\n" + USERS)
                .doesNotContain(SERVER, "demo", "perf", "clone");
    }

    @Test
    void theHelpOfTheServerPackageEndsWithTheServer() throws Exception {
        install("ce-cli");
        install("ce-ws");
        assertThat(help()).containsSubsequence(USERS, SERVER).doesNotContain("demo", "perf", "clone");
    }

    @Test
    void theHelpOfACloneEndsWithWhatNeedsOne() throws Exception {
        Files.createDirectories(home.resolve("dev"));
        Files.createFile(home.resolve("pom.xml"));
        assertThat(help()).containsSubsequence(USERS, SERVER, CLONE);
    }
}
