/** A Slurm batch site of our own to run against. */
package org.gelato.ce.testkit.slurm;
