package org.gelato.ce.core.command;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.sandbox.SandboxLayout;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class TrashRemoverTest {
    private final AccountCommandException notOurs = new AccountCommandException(
            Code.FAILED, "cannot remove /t with 3000 entries that stay, one is 'x': Operation not permitted");

    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(TrashRemover.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final AtomicLong nanos = new AtomicLong();
    private final List<Path> asked = new ArrayList<>();
    private final List<String> renamed = new ArrayList<>();
    private final Deque<CompletableFuture<Void>> unanswered = new ArrayDeque<>();
    private final TrashRemover trash =
            new TrashRemover(accounts(), new SandboxLayout(Path.of("/sandbox")), Clock.systemUTC(), nanos::get);
    private CompletableFuture<Void> renaming = CompletableFuture.completedFuture(null);
    private Error defect;
    private Exception away;

    @BeforeEach
    void attach() {
        log.start();
        LOGGER.addAppender(log);
    }

    @AfterEach
    void detach() {
        LOGGER.detachAppender(log);
    }

    /** Answers no removal until the test does. */
    private AccountCommands accounts() {
        return (AccountCommands) Proxy.newProxyInstance(
                AccountCommands.class.getClassLoader(),
                new Class<?>[] {AccountCommands.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("renameAway")) {
                        renamed.add(args[1] + " " + ((Path) args[2]).getParent());
                        return renaming;
                    }
                    assertThat(method.getName()).isEqualTo("remove");
                    asked.add((Path) args[1]);
                    if (defect != null) {
                        throw defect;
                    }
                    if (away != null) {
                        return CompletableFuture.failedFuture(away);
                    }
                    unanswered.add(new CompletableFuture<>());
                    return unanswered.getLast();
                });
    }

    private static SandboxStore.Home home(int number) {
        return new SandboxStore.Home("dteam" + number, Path.of("/sandbox/dteam/home" + number));
    }

    private static List<SandboxStore.Home> homes(int many) {
        return IntStream.range(0, many).mapToObj(TrashRemoverTest::home).toList();
    }

    private static Path directory(int number) {
        return home(number).directory().resolve("trash");
    }

    private static Path aside(int number) {
        return home(number).directory().resolve("trash.aside");
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private void answerAll(RuntimeException with) {
        while (!unanswered.isEmpty()) {
            if (with == null) {
                unanswered.remove().complete(null);
            } else {
                unanswered.remove().completeExceptionally(with);
            }
        }
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void manySandboxesOfOneDirectoryAreTwoRequests() {
        for (int i = 0; i < 1000; i++) {
            trash.empty(List.of(home(1)));
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
            trash.empty(List.of(home(i)));
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
            trash.empty(List.of(home(i)));
        }
        unanswered.remove().completeExceptionally(new IllegalStateException("no"));
        assertThat(asked).endsWith(directory(8));
        trash.empty(List.of(home(0)));
        assertThat(asked).as("it waits").hasSize(9);
        pass(Duration.ofMinutes(1));
        trash.empty(List.of(home(0)));
        unanswered.remove().complete(null);
        assertThat(asked).endsWith(directory(0)).hasSize(10);
    }

    @Test
    void whatPassesIsOneLineForAllOfAPass() {
        for (int i = 0; i < 500; i++) {
            trash.empty(List.of(home(i)));
        }
        answerAll(new AccountCommandException(Code.BUSY, "all workers are busy with other accounts"));
        assertThat(asked).hasSize(500);
        assertThat(lines()).singleElement().asString().startsWith("trash of everybody: all workers are busy");
        assertThat(renamed).isEmpty();
        assertThat(trash.stuck()).isZero();
    }

    @Test
    void whatCannotBeRemovedIsSetAsideAndOtherPurgesOfTheOwnerDoNotMeetIt() {
        trash.empty(List.of(home(1)));
        answerAll(notOurs);
        assertThat(renamed).containsExactly(directory(1) + " " + aside(1));
        assertThat(trash.stuck()).isEqualTo(1);
        for (int i = 0; i < 100; i++) {
            trash.empty(List.of(home(1)));
            answerAll(null);
        }
        assertThat(asked).hasSize(101).containsOnly(directory(1));
        assertThat(lines())
                .singleElement()
                .asString()
                .contains("3000 entries", "rm -rf --one-file-system '" + aside(1) + "'");
        assertThat(trash.advice()).contains("3000 entries", aside(1).toString());
    }

    @Test
    void manyThatCannotBeRemovedAreOneLine() {
        for (int i = 0; i < 500; i++) {
            trash.empty(List.of(home(i)));
        }
        answerAll(notOurs);
        assertThat(trash.stuck()).isEqualTo(500);
        assertThat(lines())
                .singleElement()
                .asString()
                .contains("500 directories", aside(4) + "'")
                .doesNotContain(aside(5).toString())
                .hasSizeLessThan(2000);
    }

    @Test
    void itIsTriedAgainAfterPausesThatGrow() {
        trash.empty(List.of(home(1)));
        answerAll(notOurs);
        List<Integer> triedAfterHours = new ArrayList<>();
        for (int hour = 1; hour <= 100; hour++) {
            pass(Duration.ofHours(1));
            asked.clear();
            trash.sweep(List.of(home(1)), false);
            unanswered.remove().complete(null);
            answerAll(notOurs);
            if (asked.contains(aside(1))) {
                triedAfterHours.add(hour);
            }
        }
        assertThat(triedAfterHours).containsExactly(1, 3, 7, 15, 31, 55, 79);
        assertThat(lines()).hasSize(8);

        pass(Duration.ofDays(1));
        trash.sweep(List.of(home(1)), false);
        answerAll(null);
        assertThat(trash.stuck()).isZero();
        assertThat(trash.advice()).isEmpty();
    }

    @Test
    void moreThatIsSetAsideWaitsWithWhatIsThere() {
        trash.empty(List.of(home(1)));
        answerAll(notOurs);
        for (int i = 0; i < 100; i++) {
            trash.empty(List.of(home(1)));
            answerAll(notOurs);
        }
        assertThat(renamed).hasSize(101);
        assertThat(lines()).hasSize(1);
        assertThat(asked).doesNotContain(aside(1));
    }

    @Test
    void whereItCannotBeSetAsideItWaitsInItsPlace() {
        renaming = CompletableFuture.failedFuture(new AccountCommandException(Code.FAILED, "cannot rename"));
        trash.empty(List.of(home(1)));
        answerAll(notOurs);
        trash.empty(List.of(home(1)));
        assertThat(asked).hasSize(1);
        assertThat(trash.advice()).contains("'" + directory(1) + "'");
        pass(Duration.ofHours(1));
        trash.sweep(List.of(home(1)), false);
        assertThat(asked).hasSize(2);
        answerAll(null);
        assertThat(trash.stuck()).isZero();
    }

    @Test
    void aStartTriesWhatAnEarlierProcessSetAside() {
        trash.sweep(List.of(home(1)), true);
        answerAll(null);
        assertThat(asked).containsExactly(directory(1), aside(1));
        trash.sweep(List.of(home(1)), false);
        assertThat(asked).hasSize(3).endsWith(directory(1));
    }

    @Test
    void aRequestThatCannotBeMadeKeepsNoPlace() {
        defect = new NoClassDefFoundError("org/example/Gone");
        trash.empty(homes(100));
        defect = null;
        asked.clear();
        pass(Duration.ofMinutes(1));
        trash.empty(homes(1));
        assertThat(asked).containsExactly(directory(0));
        assertThat(lines()).hasSize(10).allMatch(line -> line.contains("org/example/Gone"));
    }

    /** Then each request fails at once, and thousands wait. */
    @Test
    void aSweepWhileTheHelperIsAwayIsOneLineAndNoDeepStack() {
        int many = 20_000;
        away = new AccountCommandException(Code.BUSY, "the helper is away");
        trash.sweep(homes(many), true);
        assertThat(asked).hasSize(2 * many);
        assertThat(lines()).singleElement().asString().startsWith("trash of everybody: the helper is away");
    }
}
