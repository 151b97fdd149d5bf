/** Torque, and Slurm behind its Torque commands. */
package org.gelato.ce.lrms.torque;
