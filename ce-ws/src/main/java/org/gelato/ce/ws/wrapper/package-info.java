/** Where job wrappers on worker nodes report over HTTPS: their events, what their jobs send, and the claim to run a job. */
package org.gelato.ce.ws.wrapper;
