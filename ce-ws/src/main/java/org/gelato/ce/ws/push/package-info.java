/** State changes, messages and live output of jobs as they happen: Server-Sent Events for clients, webhooks for configured receivers. */
package org.gelato.ce.ws.push;
