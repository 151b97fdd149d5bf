/** The scenarios of the CREAM performance report and what was asked after it: what each does, what must hold, and what came out. */
package org.gelato.ce.perf.scenario;
