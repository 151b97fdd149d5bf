/** Periodic work on sets of jobs, keys and leases: purge and expiry. */
package org.gelato.ce.core.sweep;
