package org.gelato.ce.lrms.torque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.gelato.ce.core.lrms.Lrms.Sought;
import org.gelato.ce.core.lrms.LrmsJob;
import org.gelato.ce.core.lrms.LrmsJob.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountingLogTest {
    private static final String START =
            "11/20/2026 22:28:36;S;1.t;user=dteam001 group=dteam001 jobname=cream_000000001 queue=q exec_host=wn1/0\n";
    private static final String END = "11/20/2026 22:29:36;E;1.t;user=dteam001 group=dteam001 jobname=cream_000000001"
            + " queue=q exec_host=wn1/0 end=1 Exit_status=3\n";

    @TempDir
    Path dir;

    private static Sought sought(int number, String id) {
        return new Sought(String.format("cream_%09d", number), "dteam001", id);
    }

    private LrmsJob one(AccountingLog log, Sought sought) {
        return log.find(List.of(sought)).get(sought.tag());
    }

    private void append(String day, String text) throws IOException {
        Files.writeString(dir.resolve(day), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void reportsTheEndOfEveryKindOfJob() throws IOException {
        append("20261120", Samples.text("accounting.txt"));
        AccountingLog log = new AccountingLog(dir, 1000);
        assertThat(one(log, sought(13, null)).exitCode()).isZero();
        assertThat(one(log, sought(14, "14.torque.example")))
                .isEqualTo(new LrmsJob("14.torque.example", "cream_000000014", State.DONE, 3, null, "wn1"));
        assertThat(one(log, sought(15, null)).state()).isEqualTo(State.CANCELLED);
        assertThat(one(log, sought(16, null)).state()).isEqualTo(State.FAILED);
        assertThat(one(log, sought(18, null)).state()).isEqualTo(State.CANCELLED);
        // deleted while queued: only the id is there
        assertThat(one(log, sought(10, "10.torque.example")).state()).isEqualTo(State.CANCELLED);
        assertThat(one(log, sought(10, null))).isNull();
        assertThat(one(log, sought(77, "77.torque.example"))).isNull();
    }

    @Test
    void aLineThatIsBeingWrittenIsReadWhenItIsWhole() throws IOException {
        AccountingLog log = new AccountingLog(dir, 1000);
        append("20261120", START + END.substring(0, 50));
        assertThat(one(log, sought(1, "1.t")).state()).isEqualTo(State.RUNNING);
        append("20261120", END.substring(50));
        assertThat(one(log, sought(1, "1.t")).exitCode()).isEqualTo(3);
    }

    @Test
    void continuesAfterMidnightAndInANewProcess() throws IOException {
        AccountingLog log = new AccountingLog(dir, 1000);
        append("20261120", START);
        append("notes", END);
        assertThat(one(log, sought(1, null)).state()).isEqualTo(State.RUNNING);
        append("20261121", END);
        assertThat(one(log, sought(1, null)).state()).isEqualTo(State.DONE);
        assertThat(one(new AccountingLog(dir, 1000), sought(1, null)).exitCode())
                .isEqualTo(3);
    }

    @Test
    void aJobOfAnotherAccountIsNotTaken() throws IOException {
        append(
                "20261120",
                START.replace("user=dteam001", "user=mallory") + END.replace("user=dteam001", "user=mallory"));
        assertThat(one(new AccountingLog(dir, 1000), sought(1, null))).isNull();
        assertThat(one(new AccountingLog(dir, 1000), sought(1, "1.t"))).isNull();
    }

    @Test
    void theOldestIsForgotten() throws IOException {
        append("20261120", START + START.replace("1.t", "2.t").replace("000001 ", "000002 "));
        AccountingLog log = new AccountingLog(dir, 1);
        assertThat(one(log, sought(1, null))).isNull();
        assertThat(one(log, sought(2, null))).isNotNull();
    }

    @Test
    void aDirectoryThatCannotBeReadIsAnError() {
        AccountingLog log = new AccountingLog(dir.resolve("absent"), 10);
        assertThatThrownBy(() -> log.find(List.of(sought(1, null)))).isInstanceOf(TorqueException.class);
    }

    @Property(tries = 300)
    void anyLineIsReadOrSkipped(@ForAll String rest, @ForAll char type) {
        AccountingRecord.parse("11/20/2026 22:28:36;" + type + ";1.t;" + rest)
                .ifPresent(record -> assertThat(record.after(null)).isNotNull());
        assertThat(AccountingRecord.parse(rest)).isEmpty();
    }
}
