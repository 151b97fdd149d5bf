/** The activity description language, in XML. Yields the model of the package above. */
package org.gelato.ce.description.adl;
