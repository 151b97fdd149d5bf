/** A stand-in for the Torque batch system, which no Debian has any more: for tests of what Torque answers and of its faults. */
package org.gelato.ce.testkit.torque;
