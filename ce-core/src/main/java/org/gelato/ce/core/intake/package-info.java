/** What job wrappers report: events, spool files, and the claim to run a job. */
package org.gelato.ce.core.intake;
