/** Leases: how long a job may live without its owner renewing. */
package org.gelato.ce.core.lease;
