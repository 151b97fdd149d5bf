/** Events as they happen: Server-Sent Events and webhooks of a whole CE. */
package org.gelato.ce.it.events;
