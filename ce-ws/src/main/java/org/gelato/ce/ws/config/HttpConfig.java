package org.gelato.ce.ws.config;

import java.time.Duration;

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
 * @param callsPerUser calls of one user that are worked on at once
 * @param connectionsPerAddress open connections without client certificate from one remote address
 * @param handshakeTimeout time for a TLS handshake, and for the head of a request
 */
public record HttpConfig(
        int threads,
        int maxConnections,
        int downloads,
        long maxBody,
        Duration keepAlive,
        Duration timeout,
        int uploads,
        int callsPerUser,
        int connectionsPerAddress,
        Duration handshakeTimeout) {
    private static final String THREADS = "gelato.http.threads";

    static HttpConfig read(ConfigReader r) {
        int threads = r.number(THREADS, 4, 2000);
        int callsPerUser = r.number("gelato.http.calls-per-user", 0, 2000);
        HttpConfig http = new HttpConfig(
                threads,
                r.number("gelato.http.max-connections", 10, 100_000),
                r.number("gelato.http.downloads", 1, 1000),
                r.bytes("gelato.http.max-body", 64L << 10, 1L << 30),
                r.duration("gelato.http.keep-alive", Duration.ofSeconds(1), Duration.ofHours(1)),
                r.duration("gelato.http.timeout", Duration.ofSeconds(1), Duration.ofMinutes(10)),
                r.number("gelato.http.uploads", 1, 1000),
                callsPerUser == 0 ? threads / 2 : callsPerUser,
                r.number("gelato.http.connections-per-address", 1, 100_000),
                r.duration("gelato.http.handshake-timeout", Duration.ofSeconds(1), Duration.ofMinutes(10)));
        if (http.downloads() + http.uploads() >= http.threads()) {
            r.refuse(
                    THREADS,
                    "more than http.downloads and http.uploads together: transfers would leave none for requests");
        }
        return http;
    }
}
