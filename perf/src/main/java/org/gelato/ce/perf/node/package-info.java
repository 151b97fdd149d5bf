/** Worker nodes that a measurement plays itself: what running jobs send, at the times it says. */
package org.gelato.ce.perf.node;
