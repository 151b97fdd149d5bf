package org.gelato.ce.blahbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.gelato.ce.blahbridge.RunningHelper.get;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An account that exchanges directories and links while the helper works, with and without openat2. */
class HelperRaceTest {
    private static final int ROUNDS = 300;

    @TempDir
    Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"-i600", "-W"})
    void nothingIsEverReadOrWrittenThroughALinkThatComesAndGoes(String option) throws Exception {
        Path outside = Files.createDirectory(temporary.toRealPath().resolve("outside"));
        Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(outside.resolve("secret"), "outside");
        Path kept = Files.createDirectory(outside.resolve("kept"));
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (RunningHelper helper = new RunningHelper(temporary, option)) {
            helper.put(helper.home.resolve("d/secret"), "inside");
            long exchanger = get(helper.commands.spawn(
                    helper.account,
                    helper.spawnOf("ln -s " + outside + " link; while :; do mv -T d real; mv -T link d; mv -T d link;"
                            + " mv -T real d; : > turning; done")));
            await().until(() -> get(helper.commands.list(helper.account, helper.home, 10)).stream()
                    .anyMatch(f -> f.name().equals("turning")));
            Path d = helper.home.resolve("d");
            int refused = 0;
            for (int i = 0; i < ROUNDS; i++) {
                refused += tried(() -> get(
                        helper.commands.put(helper.account, new FileContent(d.resolve("new"), 0600, new byte[] {1}))));
                refused += tried(() -> get(helper.commands.append(helper.account, d.resolve("a"), 0, new byte[0])));
                refused += tried(() -> assertThat(new String(
                                get(helper.commands.get(helper.account, d.resolve("secret"), 0, 100))
                                        .content(),
                                StandardCharsets.UTF_8))
                        .isEqualTo("inside"));
                refused += tried(() -> get(
                        helper.commands.renameAway(helper.account, d.resolve("new"), helper.home.resolve("moved"))));
                refused += tried(() -> get(helper.commands.discard(helper.account, d, List.of("kept", "a"))));
                refused += tried(() -> get(helper.commands.remove(helper.account, d.resolve("kept"))));
            }
            get(helper.commands.signal(helper.account, exchanger, 9));
            assertThat(refused).as("the link was met").isPositive();
            try (var left = Files.list(outside)) {
                assertThat(left.map(p -> p.getFileName().toString())).containsExactlyInAnyOrder("secret", "kept");
            }
        }
    }

    private static int tried(Runnable work) {
        try {
            work.run();
            return 0;
        } catch (AccountCommandException e) {
            return 1;
        }
    }
}
