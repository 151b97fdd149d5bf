package org.gelato.ce.core.wrapper;

import java.nio.file.Path;

/**
 * Where a wrapper finds the proxy of its job's delegation, now and renewed.
 *
 * @param file read where the worker node can; null where the nodes share no files with the CE
 * @param url asked, with the job's secret, where it cannot read the file
 * @param guard how a renewed one is looked for; null when none will come, and only the end is waited for
 */
public record ProxySettings(Path file, String url, ProxyGuard guard) {}
