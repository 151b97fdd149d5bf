/** The user's proxy, the authorities he trusts, and the signing of delegated proxies. */
package org.gelato.ce.cli.credential;
