/** Database access: pool, transactions, counting, the bounds of a session, and what a refusal of the server means. */
package org.gelato.ce.core.db;
