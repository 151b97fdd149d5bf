/** What all HTTP endpoints share: reading requests, limits, metering, refusals and responses; health, metrics and live output. */
package org.gelato.ce.ws.http;
