package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageFeed;
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

    /** Each piece of another id: 64 MiB of them are stored at most. */
    @Test
    void ofALongStreamItsEndAloneIsRead() {
        AtomicInteger reads = new AtomicInteger();
        MessageFeed feed = (MessageFeed) Proxy.newProxyInstance(
                MessageFeed.class.getClassLoader(), new Class<?>[] {MessageFeed.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("before");
                    reads.incrementAndGet();
                    long before = Math.min(8000, (long) arguments[1]);
                    return LongStream.range(0, (int) arguments[2])
                            .mapToObj(i -> piece(before - 1 - i, (before - 1 - i) * 8192, "x".repeat(8192)))
                            .toList();
                });
        List<Message> stored = new ArrayList<>();
        RunningOutput.stored(feed, new JobId(1), Message.Kind.STDOUT).forEach(stored::add);
        assertThat(stored).hasSize(RunningOutput.MAX / 8192);
        assertThat(stored.get(stored.size() - 1).id()).isEqualTo(7999);
        assertThat(stored).isSortedAccordingTo(Comparator.comparing(Message::id));
        assertThat(reads).hasValue(3);
    }
}
