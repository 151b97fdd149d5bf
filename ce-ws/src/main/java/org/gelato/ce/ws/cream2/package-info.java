/** The CREAM2 job service: translates its wire to the core and back. */
package org.gelato.ce.ws.cream2;
