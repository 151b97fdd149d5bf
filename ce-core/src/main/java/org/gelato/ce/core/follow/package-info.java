/** What follows jobs through the batch system: the poller, and what it concludes about their ends. */
package org.gelato.ce.core.follow;
