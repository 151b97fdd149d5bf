/** Registered once and run once, whatever happens to the responses on their way. */
package org.gelato.ce.it.once;
