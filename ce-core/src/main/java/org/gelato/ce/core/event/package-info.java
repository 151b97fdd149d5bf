/** The stream of state changes that clients follow. */
package org.gelato.ce.core.event;
