/** Slurm, through its own commands. */
package org.gelato.ce.lrms.slurm;
