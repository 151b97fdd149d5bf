/** The GridSite delegation service: translates its wire to the core and back. */
package org.gelato.ce.ws.delegation;
