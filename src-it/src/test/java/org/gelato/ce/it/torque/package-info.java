/** Torque's stand-in against what a real Torque was recorded to say, and its faults. */
package org.gelato.ce.it.torque;
