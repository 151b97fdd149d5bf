/** Two servers of ARC REST beside each other: this CE and Debian's A-REX. */
package org.gelato.ce.perf.peer;
