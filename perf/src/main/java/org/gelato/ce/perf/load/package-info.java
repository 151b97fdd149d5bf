/** Clients that bring jobs: real proxies, kept TLS connections, the wire's own operations. */
package org.gelato.ce.perf.load;
