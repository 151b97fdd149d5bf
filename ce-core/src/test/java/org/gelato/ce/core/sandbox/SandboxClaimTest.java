package org.gelato.ce.core.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.MemoryAccounts;
import org.junit.jupiter.api.Test;

class SandboxClaimTest {
    private static CompletableFuture<Boolean> take(Code failure) {
        return new SandboxClaim(new MemoryAccounts() {
                    @Override
                    public CompletableFuture<Long> append(String account, Path file, long offset, byte[] bytes) {
                        return CompletableFuture.failedFuture(new AccountCommandException(failure, "no"));
                    }
                })
                .take("dteam001", Path.of("/sandbox"));
    }

    /** A wrapper cannot make its directory there, either. */
    @Test
    void inASandboxThatIsGoneNoWrapperBegins() {
        assertThat(take(Code.NO_SUCH_FILE).join()).isTrue();
        assertThatThrownBy(() -> take(Code.FAILED).join()).hasCauseInstanceOf(AccountCommandException.class);
    }
}
