package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommands;
import org.junit.jupiter.api.Test;

class TrashRemoverTest {
    private static final String ACCOUNT = "dteam001";

    private final List<Path> asked = new ArrayList<>();
    private final Deque<CompletableFuture<Void>> unanswered = new ArrayDeque<>();
    private final TrashRemover trash = new TrashRemover(accounts());

    /** Answers nothing until the test does. */
    private AccountCommands accounts() {
        return (AccountCommands) Proxy.newProxyInstance(
                AccountCommands.class.getClassLoader(),
                new Class<?>[] {AccountCommands.class},
                (proxy, method, args) -> {
                    assertThat(method.getName()).isEqualTo("remove");
                    asked.add((Path) args[1]);
                    unanswered.add(new CompletableFuture<>());
                    return unanswered.getLast();
                });
    }

    private static Path directory(int number) {
        return Path.of("/sandbox/home" + number + "/trash");
    }

    @Test
    void manySandboxesOfOneDirectoryAreTwoRequests() {
        for (int i = 0; i < 1000; i++) {
            trash.empty(ACCOUNT, directory(1));
        }
        assertThat(asked).containsExactly(directory(1));
        unanswered.remove().complete(null);
        assertThat(asked).containsExactly(directory(1), directory(1));
        unanswered.remove().complete(null);
        assertThat(asked).hasSize(2);
    }

    @Test
    void fewDirectoriesAreEmptiedAtOnceAndAllInTheEnd() {
        for (int i = 0; i < 100; i++) {
            trash.empty(ACCOUNT, directory(i));
        }
        assertThat(asked).hasSize(8);
        while (!unanswered.isEmpty()) {
            unanswered.remove().complete(null);
            assertThat(unanswered).hasSizeLessThanOrEqualTo(8);
        }
        assertThat(asked).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void oneThatCannotBeEmptiedHoldsUpNoOther() {
        for (int i = 0; i < 9; i++) {
            trash.empty(ACCOUNT, directory(i));
        }
        unanswered.remove().completeExceptionally(new IllegalStateException("no"));
        assertThat(asked).endsWith(directory(8));
        trash.empty(ACCOUNT, directory(0));
        unanswered.remove().complete(null);
        assertThat(asked).endsWith(directory(0)).hasSize(10);
    }
}
