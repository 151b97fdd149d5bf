/** Counters and readings: what the CE, the database server and the kernel count. */
package org.gelato.ce.perf.measure;
