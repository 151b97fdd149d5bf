package org.gelato.ce.core.wrapper;

import java.nio.file.Path;

/**
 * Where a wrapper finds the proxy of its job's delegation, now and renewed.
 *
 * @param file read where the worker node can; null where the nodes share no files with the CE
 * @param url asked, with the job's secret, where it cannot read the file
 * @param guard how it is looked after
 */
public record ProxySettings(Path file, String url, ProxyGuard guard) {}
