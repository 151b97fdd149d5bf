/** The port to the local batch system, and what adapters share of a job's request. No commands of a particular batch system. */
package org.gelato.ce.core.lrms;
