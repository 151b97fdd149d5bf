/** The CE as GLUE 2: one model, from what is configured and what was read last, and its LDIF for a BDII. Sends nothing by itself. */
package org.gelato.ce.ws.glue2;
