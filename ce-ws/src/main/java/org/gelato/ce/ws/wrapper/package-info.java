/** Where job wrappers on worker nodes report over HTTPS: their events, and the claim to run a job. */
package org.gelato.ce.ws.wrapper;
