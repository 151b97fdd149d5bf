/** What a CE shows of its parts: meters, and checks of their health. */
package org.gelato.ce.ws.parts.monitoring;
