package org.gelato.ce.core.identity;

/**
 * An authorized caller.
 *
 * @param identity who it is
 * @param account the local account it is mapped to; never null, never root
 * @param admin whether the DN is on the admin list: sees all jobs, real LRMS ids and directories
 */
public record Caller(GridIdentity identity, String account, boolean admin) {}
