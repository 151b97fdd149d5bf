/** The ARC CE of the distribution, run beside ours to compare with. */
package org.gelato.ce.testkit.arex;
