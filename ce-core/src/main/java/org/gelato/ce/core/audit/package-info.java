/** The port to the audit log: what was done by whom, reported where it is decided (docs/admin/audit.md). */
package org.gelato.ce.core.audit;
