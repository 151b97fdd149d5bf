/** Measurements of a whole Computing Element: the command {@code ce perf}, one package per scenario beside what all share. */
package org.gelato.ce.perf;
