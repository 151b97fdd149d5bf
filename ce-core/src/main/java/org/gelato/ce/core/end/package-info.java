/** The one rule for how a job ended: what its witnesses know, and what follows from that. Reads and writes nothing. */
package org.gelato.ce.core.end;
