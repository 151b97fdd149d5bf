/** What only an administrator may ask over HTTPS. */
package org.gelato.ce.ws.admin;
