/** What only an administrator may request over HTTPS. */
package org.gelato.ce.ws.admin;
