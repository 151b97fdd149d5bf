package org.gelato.ce.ws.web;

import java.net.URI;
import java.time.Instant;

/**
 * The running CE as it names itself to clients.
 *
 * @param baseUrl {@code https://host:port}, without a slash at the end: job ids and creamURL start with it
 * @param version of this software, see {@link Version}
 * @param startedAt start of the service
 */
public record CeInstance(URI baseUrl, String version, Instant startedAt) {}
