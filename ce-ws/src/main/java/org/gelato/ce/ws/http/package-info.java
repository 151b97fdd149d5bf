/** The plain HTTP endpoints: health, metrics, events from job wrappers, job output. */
package org.gelato.ce.ws.http;
