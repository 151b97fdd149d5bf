/** The job description language: grammar and reading. Yields the model of the package above. */
package org.gelato.ce.description.jdl;
