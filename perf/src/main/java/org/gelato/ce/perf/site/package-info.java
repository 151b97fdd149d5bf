/** The place a measurement is made at: database, batch system, certificates and the CE, each a process of its own, removed at the end. */
package org.gelato.ce.perf.site;
