/** The port to the local batch system, and the poller that follows jobs through it. */
package org.gelato.ce.core.lrms;
