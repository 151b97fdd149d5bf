/** What knows nothing of jobs: bounds that callers share, keys of the configuration, processes, digests, clocks. */
package org.gelato.ce.core.base;
