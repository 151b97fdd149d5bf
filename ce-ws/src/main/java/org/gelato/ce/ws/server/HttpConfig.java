package org.gelato.ce.ws.server;

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
 * @param handshakeTimeout how long a client is waited for during a TLS handshake, and during the head of a request
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
        Duration handshakeTimeout) {}
