package org.gelato.ce.ws.server;

import java.time.Duration;
import org.gelato.ce.core.config.Key;

/**
 * Limits of the HTTP server.
 *
 * @param threads requests worked on at once
 * @param maxConnections open connections, idle ones included
 * @param downloads requests at once that read files of jobs
 * @param maxBody bytes of the largest request body
 * @param keepAlive how long an idle connection is kept
 * @param timeout how long a client may take for the next bytes
 * @param uploads requests at once that bring files of jobs
 * @param callsPerUser calls of one user that are worked on at once; 0: half of the threads
 * @param connectionsPerAddress open connections without client certificate from one remote address
 * @param handshakeTimeout how long a client is waited for during a TLS handshake, and during the head of a request
 */
public record HttpConfig(
        @Key(min = "4", max = "2000") int threads,
        @Key(min = "10", max = "100000") int maxConnections,
        @Key(min = "1", max = "1000") int downloads,
        @Key(min = "64 KiB", max = "1 GiB") long maxBody,
        @Key(min = "1 s", max = "1 h") Duration keepAlive,
        @Key(min = "1 s", max = "10 minutes") Duration timeout,
        @Key(min = "1", max = "1000") int uploads,
        @Key(min = "0", max = "2000") int callsPerUser,
        @Key(min = "1", max = "100000") int connectionsPerAddress,
        @Key(min = "1 s", max = "10 minutes") Duration handshakeTimeout) {
    public HttpConfig {
        callsPerUser = callsPerUser == 0 ? threads / 2 : callsPerUser;
    }
}
