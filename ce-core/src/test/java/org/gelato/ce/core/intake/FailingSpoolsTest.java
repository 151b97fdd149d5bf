package org.gelato.ce.core.intake;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.account.MemoryAccounts;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.BadMembers;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Homes with events of jobs, of which some can't be read or hang. */
class FailingSpoolsTest extends BadMembers {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private final Map<String, JobId> jobs = new HashMap<>();
    private final Set<JobId> applied = new HashSet<>();
    private final MemoryAccounts accounts = new MemoryAccounts() {
        @Override
        public CompletableFuture<List<FileContent>> collect(
                String account, Path directory, int maxFiles, int maxBytes) {
            return outcome(account, () -> super.collect(account, directory, maxFiles, maxBytes));
        }
    };
    private TestCe ce;
    private SpoolReader reader;

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("DELETE FROM job"));
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        for (int i = 1; i <= 9; i++) {
            Caller caller = TestCe.caller("User" + i, "user" + i);
            JobId job = ce.submit(caller);
            jobs.put(caller.account(), job);
            Path home = ce.layout.home(caller.identity().owner(), caller.account());
            String event = "job=" + job + "\nattempt=1\nevent=RUNNING\ntime=1700000000000000\nnode=wn1\nexit=\ntoken="
                    + TestCe.TOKENS.of(job);
            accounts.write(ce.layout.events(home).resolve("e"), event.getBytes(StandardCharsets.UTF_8));
        }
        reader = new SpoolReader(
                new SpoolHomes(DB.database(), ce.layout),
                ce.layout,
                ce.numbers,
                accounts,
                events -> {
                    events.forEach(event -> applied.add(event.job()));
                    return events.size();
                },
                ce.messages,
                Runnable::run,
                nanos::get);
    }

    @AfterEach
    void close() {
        ce.close();
    }

    @Override
    protected Set<String> members() {
        return jobs.keySet();
    }

    @Override
    protected void round() {
        reader.scan();
    }

    @Override
    protected Set<String> done() {
        Set<String> done = new HashSet<>(jobs.keySet());
        done.removeIf(account -> !applied.contains(jobs.get(account)));
        return done;
    }
}
