/** What {@code ce server init} and {@code ce server archive} do: find what a site has, and write the files a CE needs there. */
package org.gelato.ce.ws.setup;
