/** The test bench: a CA, a VOMS issuer, a site. */
package org.gelato.ce.it;
