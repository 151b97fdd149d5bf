/** Bearer tokens: which are accepted, what they grant, and the keys of their issuers. Knows nothing of requests or accounts. */
package org.gelato.ce.ws.token;
