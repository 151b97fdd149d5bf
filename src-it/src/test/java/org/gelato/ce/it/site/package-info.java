/** A CE in a process of its own, started, killed and asked by the tests. */
package org.gelato.ce.it.site;
