/** Who may use the CE, and as which account: by grid-mapfile, ban file, administrators' bans and pools of accounts (docs/admin/authorization.md). */
package org.gelato.ce.core.authorization;
