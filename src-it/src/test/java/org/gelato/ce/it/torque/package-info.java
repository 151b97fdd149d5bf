/** Torque's stand-in against a real Torque's recorded output, and its faults. */
package org.gelato.ce.it.torque;
