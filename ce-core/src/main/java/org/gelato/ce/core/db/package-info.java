/** Database access: pool, transactions, counting, and the embedded server. */
package org.gelato.ce.core.db;
