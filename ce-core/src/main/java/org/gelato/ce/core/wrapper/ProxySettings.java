package org.gelato.ce.core.wrapper;

import java.nio.file.Path;
import java.time.Instant;

/**
 * Where a wrapper finds the proxy of its job's delegation, or the bearer token, now and renewed.
 *
 * @param file read where the worker node can; null where the nodes share no files with the CE
 * @param url requested, with the job's secret, where it cannot read the file
 * @param end of the one there is now; a renewed one does not end before it. Null when it is not known
 * @param guard how it checks for a renewed one; null when none will come, and only the end is waited for
 * @param token whether it is a bearer token, whose end does not end the job
 */
public record ProxySettings(Path file, String url, Instant end, ProxyGuard guard, boolean token) {}
