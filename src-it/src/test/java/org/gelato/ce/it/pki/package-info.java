/** The test PKI holds what it promises. */
package org.gelato.ce.it.pki;
