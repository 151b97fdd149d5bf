package org.gelato.ce.core.wrapper;

/**
 * Where a wrapper finds its job's sandbox when its worker node does not see the files: at the CE, with the job's secret.
 *
 * @param claimUrl where it requests the start token
 * @param inputUrl to which the names of input files are added
 * @param outputUrl to which the names of output files are added
 */
public record RemoteSandbox(String claimUrl, String inputUrl, String outputUrl) {}
