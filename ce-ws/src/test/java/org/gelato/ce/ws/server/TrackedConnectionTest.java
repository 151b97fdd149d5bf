package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.junit.jupiter.api.Test;

class TrackedConnectionTest {
    @Test
    void aConnectionThatEndsWhileItIsLookedIntoHasNoCertificates() throws Exception {
        Deque<SSLEngine> engines =
                new ArrayDeque<>(List.of(SSLContext.getDefault().createSSLEngine()));
        SecureNioChannel ending = new SecureNioChannel(new SocketBufferHandler(1, 1, false), new NioEndpoint()) {
            @Override
            public SSLEngine getSslEngine() {
                return engines.poll();
            }
        };
        assertThat(TrackedConnection.certificates(ending)).isEmpty();
        assertThat(TrackedConnection.certificates(ending)).as("it has ended").isEmpty();
    }
}
