/** The fork batch system: wrappers run on the CE's own host, in slots, first come first served. */
package org.gelato.ce.blahbridge.fork;
