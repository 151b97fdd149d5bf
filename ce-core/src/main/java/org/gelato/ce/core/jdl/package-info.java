/** The job description language: grammar, checks, and the description they yield. */
package org.gelato.ce.core.jdl;
