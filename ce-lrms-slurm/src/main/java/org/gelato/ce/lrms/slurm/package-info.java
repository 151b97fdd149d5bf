/** Slurm, spoken to natively. */
package org.gelato.ce.lrms.slurm;
