package org.gelato.ce.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.gelato.ce.core.account.MemoryAccounts;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.junit.jupiter.api.Test;

/** Files of one account that hang do not hold up the poller for each of its jobs. */
class SilentAccountTest {
    private final MemoryAccounts accounts = new MemoryAccounts();
    private final AtomicLong ticker = new AtomicLong();
    private final SandboxWitness sandbox =
            new SandboxWitness(null, accounts, TestCe.TOKENS, Duration.ofMillis(10), ticker::get);

    private static SandboxStore.Place place(int number, String account) {
        return new SandboxStore.Place(new JobId(number), account, Path.of("/s/" + number));
    }

    private void assertUndecided(int number) {
        assertThatThrownBy(() -> sandbox.exitRecord(place(number, "alice")))
                .isInstanceOf(SandboxWitness.UndecidedException.class);
    }

    @Test
    void anAccountWithoutAResponseIsLeftAloneForAWhile() throws InterruptedException {
        accounts.hang("alice", true);
        for (int job = 1; job <= 50; job++) {
            assertUndecided(job);
        }
        assertThat(sandbox.errorOutput(place(51, "alice"))).isEmpty();
        assertThat(accounts.log()).containsExactly("hung /s/1/exit");
        assertThat(sandbox.exitRecord(place(60, "bob")).event()).isNull();

        ticker.addAndGet(Duration.ofMinutes(5).toNanos());
        assertUndecided(1);
        assertUndecided(2);
        assertThat(accounts.log()).hasSize(2);
        accounts.hang("alice", false);
        assertUndecided(3);
        ticker.addAndGet(Duration.ofMinutes(5).toNanos());
        assertThat(sandbox.exitRecord(place(1, "alice")).event()).isNull();
        assertThat(sandbox.exitRecord(place(2, "alice")).event()).isNull();
    }

    @Test
    void manyAccountsWithoutAResponseAreNotWaitedForAsLongEach() throws InterruptedException {
        Duration whole = sandbox.patience();
        for (int account = 1; account <= 50; account++) {
            SandboxStore.Place place = place(account, "user" + account);
            accounts.hang(place.account(), true);
            assertThatThrownBy(() -> sandbox.exitRecord(place)).isInstanceOf(SandboxWitness.UndecidedException.class);
            assertThat(sandbox.patience()).isEqualTo(whole.dividedBy(30));
        }
        assertThat(sandbox.exitRecord(place(60, "bob")).event()).isNull();
        ticker.addAndGet(Duration.ofMinutes(5).toNanos());
        assertThat(sandbox.patience()).isEqualTo(whole);
    }
}
