/** TLS with real proxies over a real connector. */
package org.gelato.ce.it.tls;
