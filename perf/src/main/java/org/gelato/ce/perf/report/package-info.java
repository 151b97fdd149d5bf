/** A scenario's result for people: figures, tables, one page without network. */
package org.gelato.ce.perf.report;
