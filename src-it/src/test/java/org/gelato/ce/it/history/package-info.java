/** Histories of clients under faults, checked against a sequential model of a job (docs/developer/model.md). */
package org.gelato.ce.it.history;
