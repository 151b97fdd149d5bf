/**
 * The parts of a CE. Each opens itself: it makes what belongs together, and registers its meters, checks, scheduled work and endpoints.
 * {@link org.gelato.ce.ws.parts.Wiring} is the table of contents.
 */
package org.gelato.ce.ws.parts;
