/** Descriptions of jobs for other software than a CE, and what comes nearest to them here. */
package org.gelato.ce.cli.foreign;
