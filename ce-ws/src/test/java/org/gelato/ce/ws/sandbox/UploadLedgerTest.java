package org.gelato.ce.ws.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.core.admission.DiskSpace;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.sandbox.UploadedBytes;
import org.junit.jupiter.api.Test;

class UploadLedgerTest {
    private static final SandboxSide SIDE =
            new SandboxSide(new JobId(1), false, "CN=Alice", 7, "dteam001", Path.of("/s/ISB"), Path.of("/s/ISB.part"));
    private static final long BYTES = 2 * UploadBudget.SMALL;
    private static final long MAX = 64 * UploadBudget.SMALL;

    private final List<String> order = Collections.synchronizedList(new ArrayList<>());
    private final CompletableFuture<Thread> next = new CompletableFuture<>();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();

    private final UploadLedger ledger = new UploadLedger(new UploadBudget(
            new UploadedBytes() {
                @Override
                public Stored stored(JobId job, int subject, boolean output) {
                    return new Stored(0, 0);
                }

                @Override
                public void note(JobId job, int subject, boolean output, long bytes) {
                    comesMeanwhile();
                    order.add("noted " + bytes);
                }
            },
            new DiskSpace(() -> new DiskSpace.Space(0, 0), -1),
            MAX));

    private UploadLedger.Entry open(String name, long found) {
        return ledger.open(
                SIDE,
                name,
                () -> {
                    order.add("counted " + found);
                    return new UploadLedger.Usage(found, Set.of());
                },
                MAX,
                10);
    }

    private void comesMeanwhile() {
        new Thread(() -> {
                    next.complete(Thread.currentThread());
                    open("second", BYTES).fit(1);
                    opened.complete(null);
                })
                .start();
        await().until(() -> opened.isDone() || next.get().getState() == Thread.State.BLOCKED);
    }

    /** Else it would not know what the last writer left, and its own note would be wrong for ever. */
    @Test
    void whoComesWhileTheLastWriterNotesItsBytesCountsAnewAfterwards() throws Exception {
        UploadLedger.Entry first = open("first", 0);
        first.add(BYTES);
        first.close();
        opened.get(5, TimeUnit.MINUTES);
        assertThat(order).containsExactly("counted 0", "noted " + BYTES, "counted " + BYTES);
    }
}
