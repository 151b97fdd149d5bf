/** An issuer of bearer tokens: keys, tokens right and wrong, and a server that publishes the keys. */
package org.gelato.ce.testkit.token;
