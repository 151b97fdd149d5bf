/** The record of a job: id, state, state machine, row and store. Who may change it is decided above. */
package org.gelato.ce.core.job;
