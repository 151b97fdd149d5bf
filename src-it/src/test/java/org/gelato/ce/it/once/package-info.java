/** Registered once and run once, whatever happens to the answers on their way. */
package org.gelato.ce.it.once;
