/** The dashboard: a page at the root of this CE, and the data behind it as JSON (docs/admin/dashboard.md). */
package org.gelato.ce.ws.dashboard;
