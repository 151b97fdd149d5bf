/**
 * The scenarios of the CREAM performance report and the questions that followed it: what each does, what must hold, and
 * what came out.
 */
package org.gelato.ce.perf.scenario;
