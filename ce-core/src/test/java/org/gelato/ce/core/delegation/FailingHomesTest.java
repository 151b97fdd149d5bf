package org.gelato.ce.core.delegation;

import static org.gelato.ce.core.delegation.DelegationGrid.USER;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.BadMembers;
import org.gelato.ce.core.identity.Caller;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Homes that take no proxy file, as they are over a quota or hang, and others whose files a killed CE left unwritten. */
class FailingHomesTest extends BadMembers {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Map<Path, String> ACCOUNTS = new HashMap<>();

    private static DelegationBench bench;
    private ProxyFileWriter writer;

    @BeforeAll
    static void delegate() {
        bench = new DelegationBench(DB.database());
        for (int i = 1; i <= 9; i++) {
            String account = "dteam00" + i;
            Caller caller = DelegationBench.caller(USER, account, "/dteam");
            bench.accounts.beforePut = file -> {
                ACCOUNTS.put(file.path(), account);
                return CompletableFuture.completedFuture(null);
            };
            bench.service.putProxy(
                    caller, "d", bench.signed(bench.service.getProxyReq(caller, "d"), Duration.ofHours(12)));
        }
    }

    @AfterAll
    static void close() {
        bench.close();
    }

    @BeforeEach
    void open() {
        DB.database().inTransaction(h -> h.execute("UPDATE proxy_file SET written_at = NULL"));
        bench.accounts.beforePut =
                file -> outcome(ACCOUNTS.get(file.path()), () -> CompletableFuture.completedFuture(null));
        writer = new ProxyFileWriter(
                new DelegationStore(DB.database()),
                new ProxyFiles(bench.layout, bench.accounts),
                new ProxyFileContent(bench.keys, bench.clock),
                bench.vault,
                bench.clock,
                nanos::get);
    }

    @Override
    protected Set<String> members() {
        return new TreeSet<>(ACCOUNTS.values());
    }

    @Override
    protected void round() {
        writer.repair();
    }

    @Override
    protected Set<String> done() {
        Set<String> written = new HashSet<>();
        DB.database()
                .read(h -> h.select("SELECT path FROM proxy_file WHERE written_at IS NOT NULL")
                        .mapTo(String.class)
                        .list())
                .forEach(path -> written.add(ACCOUNTS.get(Path.of(path))));
        return written;
    }
}
