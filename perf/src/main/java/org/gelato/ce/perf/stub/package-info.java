/** A batch system without computers: slots and virtual job time inside the CE's own process, so that only the CE costs anything. */
package org.gelato.ce.perf.stub;
