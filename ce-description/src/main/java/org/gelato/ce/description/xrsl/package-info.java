/** The extended resource specification language. Yields the model of the package above. */
package org.gelato.ce.description.xrsl;
