/** The audit log: who was refused, who was mapped, and who did what to which job (docs/admin/audit.md). */
package org.gelato.ce.ws.audit;
