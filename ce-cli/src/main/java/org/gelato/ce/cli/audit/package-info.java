/** {@code ce audit}: reads the audit log of a CE on its own host (docs/admin/audit.md). Knows no CE and no connection. */
package org.gelato.ce.cli.audit;
