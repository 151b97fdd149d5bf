package org.gelato.ce.core.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.gelato.ce.core.db.TestDatabase;
import org.gelato.ce.core.fixture.FakeLrms;
import org.gelato.ce.core.fixture.TestCe;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.OwnerStore;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.sandbox.UploadedBytes.Stored;
import org.gelato.ce.core.wrapper.WrapperTokens;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a user has stored is what is noted of that user's jobs. */
class StoredUploadsTest {
    @RegisterExtension
    static final TestDatabase DB = new TestDatabase();

    private static final Caller CAROL = TestCe.caller("Carol of uploads");

    private TestCe ce;
    private StoredUploads uploads;
    private StoredSandboxes sandboxes;

    @BeforeEach
    void open() {
        ce = new TestCe(DB.database(), new FakeLrms(), "host1");
        uploads = new StoredUploads(DB.database(), ce.numbers);
        sandboxes = new StoredSandboxes(
                DB.database(), new OwnerStore(DB.database()), ce.numbers, ce.layout, new WrapperTokens(new byte[16]));
    }

    @AfterEach
    void close() {
        ce.close();
    }

    private JobId register(Caller caller) {
        return ce.jobs
                .registration()
                .register(caller, List.of(TestCe.description(false)), null)
                .get(0)
                .id();
    }

    @Test
    void aUserHasTheLastNoteOfEachSideUntilTheJobIsGone() {
        JobId one = register(CAROL);
        JobId two = register(CAROL);
        Caller dave = TestCe.caller("Dave of uploads");
        JobId other = register(dave);
        int carol = sandboxes.of(CAROL, one).subject();
        uploads.note(one, carol, false, 10);
        uploads.note(one, carol, false, 7);
        uploads.note(one, carol, true, 20);
        uploads.note(two, carol, false, 1L << 40);
        uploads.note(other, sandboxes.of(dave, other).subject(), false, 1000);
        assertThat(uploads.stored(one, carol, false)).isEqualTo(new Stored((1L << 40) + 27, 7));
        assertThat(uploads.stored(two, carol, true)).isEqualTo(new Stored((1L << 40) + 27, 0));

        DB.database().inTransaction(h -> h.execute("DELETE FROM job WHERE id = " + ce.numbers.row(two)));
        assertThat(uploads.stored(one, carol, true)).isEqualTo(new Stored(27, 20));
        uploads.note(two, carol, false, 5);
        assertThat(uploads.stored(one, carol, true).whole()).isEqualTo(27);
    }
}
