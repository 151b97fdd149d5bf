/** What {@code ce server init} does: finds what a site has, and writes the files a CE needs there. */
package org.gelato.ce.ws.setup;
