/** Delegated proxies: key pool, requests, checks, limited proxy, storage, renewal. */
package org.gelato.ce.core.delegation;
