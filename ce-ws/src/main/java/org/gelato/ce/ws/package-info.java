/** The composition root of the Computing Element. */
package org.gelato.ce.ws;
