/** The CREAM2 job service and the delegation service beside it: translates their wire to the core and back. */
package org.gelato.ce.ws.cream2;
