package org.gelato.ce.core.lrms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.DiskFullException;
import org.gelato.ce.core.lrms.SubmitResult.Scope;
import org.junit.jupiter.api.Test;

/** Whose fault it is that a hand-over did not reach the batch system. */
class FailureScopeTest {
    @Test
    void aFullDiskIsEverybodysAndAQuotaOnes() {
        assertThat(Scope.ofFailure(new DiskFullException("cannot write /s/x: No space left on device")))
                .isEqualTo(Scope.SANDBOXES);
        assertThat(Scope.ofFailure(
                        new AccountCommandException(Code.FAILED, "cannot write /s/x: No space left on device")))
                .isEqualTo(Scope.SANDBOXES);
        assertThat(Scope.ofFailure(new DiskFullException("cannot write /s/x: Disk quota exceeded")))
                .isEqualTo(Scope.ACCOUNT);
    }

    @Test
    void whatTheHelperCouldNotDoAsAnAccountIsTheAccounts() {
        assertThat(Scope.ofFailure(new AccountCommandException(Code.FAILED, "cannot enter /home/x: Stale file handle")))
                .isEqualTo(Scope.ACCOUNT);
        assertThat(Scope.ofFailure(new AccountCommandException(Code.BUSY, "too many requests")))
                .isEqualTo(Scope.LRMS);
        assertThat(Scope.ofFailure(new IOException("the helper has ended"))).isEqualTo(Scope.LRMS);
    }
}
