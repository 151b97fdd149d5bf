package org.gelato.ce.core.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands.FileContent;
import org.gelato.ce.core.account.MemoryAccounts;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.wrapper.MessageSettings;
import org.gelato.ce.core.wrapper.WrapperPatience;
import org.gelato.ce.core.wrapper.WrapperSettings;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.TransferPrograms;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.Test;

class SharedScriptsTest {
    private static final Path HOME = Path.of("/sandboxes/vo/home");

    private final MemoryAccounts accounts = new MemoryAccounts();
    private Instant now = Instant.parse("2026-11-30T20:30:00Z");
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
    private final SharedScripts scripts = new SharedScripts(accounts, new SandboxLayout(Path.of("/sandboxes")), clock);

    private CompletableFuture<String> script(Path home) {
        return script(scripts, home);
    }

    private static CompletableFuture<String> script(SharedScripts scripts, Path home) {
        try {
            return scripts.of(
                    "acc",
                    home,
                    Jdl.parse("[ Executable = \"/bin/true\"; BatchSystem = \"b\"; QueueName = \"q\" ]"),
                    new WrapperSettings(
                            new JobId(1),
                            1,
                            Map.of("CREAM_JOBID", "https://ce/CREAM000000001"),
                            "ce/cream-b-q",
                            home.resolve("s"),
                            home.resolve("events"),
                            null,
                            null,
                            "t",
                            null,
                            null,
                            null,
                            new WrapperPatience(
                                    Duration.ofHours(2), Duration.ofHours(1), null, 0, Duration.ofMinutes(10)),
                            TransferPrograms.NONE,
                            MessageSettings.NONE,
                            null));
        } catch (DescriptionException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> puts() {
        return accounts.log().stream().filter(call -> call.startsWith("put ")).toList();
    }

    @Test
    void theFileIsWrittenOnceBeforeTheFirstScript() {
        String first = script(HOME).join();
        FileContent file = accounts.files().values().iterator().next();
        assertThat(file.path().getParent()).hasToString("/sandboxes/vo/home/wrapper/2026-11");
        assertThat(file.path().getFileName().toString()).matches("[0-9a-f]{64}");
        assertThat(file.mode()).isEqualTo(0400);
        assertThat(first).contains("'" + file.path() + "'");
        assertThat(script(HOME).join()).isEqualTo(first);
        assertThat(accounts.log()).containsExactly("put " + file.path());
        script(Path.of("/sandboxes/vo/other")).join();
        assertThat(accounts.files()).hasSize(2);
    }

    @Test
    void theFileIsCheckedAgainAfterAnHourAndNotReplacedWhenItIsRight() {
        script(HOME).join();
        Path file = accounts.files().keySet().iterator().next();
        now = now.plus(Duration.ofMinutes(59));
        script(HOME).join();
        assertThat(accounts.log()).containsExactly("put " + file);
        now = now.plus(Duration.ofMinutes(2));
        script(HOME).join();
        script(HOME).join();
        assertThat(accounts.log()).containsExactly("put " + file, "get " + file);
    }

    @Test
    void aChangedFileIsWrittenAgain() {
        script(HOME).join();
        Path file = accounts.files().keySet().iterator().next();
        byte[] whole = accounts.files().get(file).content();
        accounts.write(file, "changed".getBytes(StandardCharsets.UTF_8));
        now = now.plus(Duration.ofMinutes(61));
        script(HOME).join();
        assertThat(accounts.files().get(file).content()).isEqualTo(whole);
        accounts.files().remove(file);
        now = now.plus(Duration.ofMinutes(61));
        script(HOME).join();
        assertThat(accounts.files().get(file).content()).isEqualTo(whole);
    }

    @Test
    void anotherMonthHasItsOwnFile() {
        script(HOME).join();
        now = now.plus(Duration.ofHours(4));
        assertThat(script(HOME).join()).contains("/wrapper/2026-12/");
        assertThat(accounts.files()).hasSize(2);
    }

    @Test
    void whatCouldNotBeWrittenIsTriedAgainWithTheNextScript() {
        accounts.broken(true);
        assertThat(script(HOME)).isCompletedExceptionally();
        accounts.broken(false);
        accounts.files().clear();
        assertThat(script(HOME)).isCompleted();
        assertThat(script(HOME)).isCompleted();
        assertThat(puts()).hasSize(2);
    }

    @Test
    void scriptsThatComeMeanwhileWaitForTheSameFile() {
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        MemoryAccounts slow = new MemoryAccounts() {
            @Override
            public CompletableFuture<Void> put(String account, FileContent file) {
                CompletableFuture<Void> written = new CompletableFuture<>();
                waiting.add(written);
                return written;
            }
        };
        SharedScripts late = new SharedScripts(slow, new SandboxLayout(Path.of("/sandboxes")), clock);
        List<CompletableFuture<String>> two = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            two.add(script(late, HOME));
        }
        assertThat(waiting).hasSize(1);
        assertThat(two).noneMatch(CompletableFuture::isDone);
        waiting.get(0).complete(null);
        assertThat(two).allMatch(CompletableFuture::isDone);
    }
}
