/** A CE in a process of its own, started, killed and queried by the tests. */
package org.gelato.ce.it.site;
