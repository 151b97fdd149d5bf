package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageLevel;
import org.junit.jupiter.api.Test;

class RunningOutputTest {
    private static Message piece(long id, long offset, String text) {
        return new Message(
                id,
                new JobId(1),
                1,
                Message.Kind.STDOUT,
                offset,
                Instant.EPOCH,
                Instant.EPOCH,
                MessageLevel.INFO,
                null,
                text.getBytes(StandardCharsets.UTF_8));
    }

    private static String assembled(Message... pieces) {
        return new String(RunningOutput.assemble(List.of(pieces)), StandardCharsets.UTF_8);
    }

    @Test
    void piecesContinueEachOther() {
        assertThat(assembled()).isEmpty();
        assertThat(assembled(piece(3, 0, "one\n"), piece(5, 4, "two\n"))).isEqualTo("one\ntwo\n");
    }

    @Test
    void whatWasSentTwiceIsThereOnce() {
        assertThat(assembled(piece(3, 0, "abcd"), piece(4, 2, "cdef"), piece(5, 1, "bc")))
                .isEqualTo("abcdef");
    }

    @Test
    void whatIsMissingIsSaid() {
        assertThat(assembled(piece(3, 100, "end"), piece(4, 110, "more")))
                .isEqualTo(
                        "[100 bytes are not here while the job runs]\nend[7 bytes are not here while the job runs]\nmore");
    }
}
