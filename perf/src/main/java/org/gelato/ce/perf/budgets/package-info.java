/** The scenario {@code budgets}: what one job's life costs, against the bounds of the design. */
package org.gelato.ce.perf.budgets;
