/** Our own grid PKI for demo and tests: authorities, host, users, VOMS attributes, proxies. */
package org.gelato.ce.testkit.pki;
