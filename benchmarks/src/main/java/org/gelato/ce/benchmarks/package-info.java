/** {@code ce perf jmh}: what single operations cost, beside older ways of doing the same on the same server. */
package org.gelato.ce.benchmarks;
