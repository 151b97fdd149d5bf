package org.gelato.ce.core.sweep;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.UnusedAccounts;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.BadMembers;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.sandbox.SandboxStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Homes that hang or refuse, and others whose old common parts of wrappers are removed: one that hung ended the sweep. */
class FailingWrapperFilesTest extends BadMembers {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final Set<String> swept = new HashSet<>();
    private final Set<String> members = new TreeSet<>();
    private TestCe ce;
    private WrapperFileSweeper sweeper;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        DB.database().inTransaction(h -> h.execute("DELETE FROM usage_record"));
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        for (int i = 1; i <= 9; i++) {
            members.add("user" + i);
            ce.jobs
                    .registration()
                    .register(TestCe.caller("User" + i, "user" + i), List.of(TestCe.description(false)), null);
        }
        sweeper = new WrapperFileSweeper(
                DB.database(),
                new SandboxStore(DB.database(), ce.numbers, ce.layout),
                ce.layout,
                new UnusedAccounts() {
                    @Override
                    public CompletableFuture<Tree> tree(String account, Path directory, int depth, int max) {
                        return CompletableFuture.completedFuture(
                                new Tree(List.of(new TreeEntry("2020-01", TreeEntry.DIRECTORY)), false));
                    }

                    @Override
                    public CompletableFuture<Void> remove(String account, Path tree) {
                        return outcome(account, () -> {
                            swept.add(account);
                            return CompletableFuture.completedFuture(null);
                        });
                    }
                },
                Clock.fixed(Instant.parse("2026-11-25T12:00:00Z"), ZoneOffset.UTC),
                nanos::get);
    }

    @AfterEach
    void close() {
        ce.close();
    }

    @Override
    protected Set<String> members() {
        return members;
    }

    @Override
    protected void round() {
        sweeper.sweep();
    }

    @Override
    protected Set<String> done() {
        return swept;
    }
}
