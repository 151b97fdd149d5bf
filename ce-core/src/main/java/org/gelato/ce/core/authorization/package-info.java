/** Who may use the CE, and as which account: by grid-mapfile, ban file, administrators' bans and pools of accounts (docs/authorization.md). */
package org.gelato.ce.core.authorization;
