/** ARC REST against a whole CE: the protocol byte by byte, and the clients that speak it. */
package org.gelato.ce.it.arcrest;
