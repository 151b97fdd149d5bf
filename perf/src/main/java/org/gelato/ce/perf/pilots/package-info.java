/** The pilots of a factory, and the protocols that it speaks. */
package org.gelato.ce.perf.pilots;
