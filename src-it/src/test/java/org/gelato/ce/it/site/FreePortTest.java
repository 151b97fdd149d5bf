package org.gelato.ce.it.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.testkit.site.FreePort;
import org.junit.jupiter.api.Test;

class FreePortTest {
    @Test
    void aPortIsGivenOnceBeforeAnythingListensOnIt() {
        List<Integer> ports = Stream.generate(FreePort::choose).limit(500).toList();

        assertThat(ports).doesNotHaveDuplicates();
    }

    @Test
    void aPortOfWhichOneAddressIsTakenIsNotGiven() throws IOException {
        int next = FreePort.choose() + 1;
        try (ServerSocket taken = new ServerSocket(next, 1, InetAddress.getByName("127.0.0.2"))) {
            assertThat(Stream.generate(FreePort::choose).limit(500)).doesNotContain(taken.getLocalPort());
        }
    }
}
