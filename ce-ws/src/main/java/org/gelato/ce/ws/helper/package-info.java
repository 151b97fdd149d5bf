/** How the privileged helper is started, and what its configuration must allow for the configured batch system. */
package org.gelato.ce.ws.helper;
