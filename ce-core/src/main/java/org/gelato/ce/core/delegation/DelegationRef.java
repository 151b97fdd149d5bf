package org.gelato.ce.core.delegation;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A stored delegation, as jobs refer to it.
 *
 * @param rowId number of the row, for {@code job.delegation_id}
 * @param clientId the client's text
 * @param expiresAt end of the delegated proxy; may lie in the past
 * @param proxyFile where the proxy lies, the same for the whole life of the delegation
 * @param info delegationProxyInfo (contract/cream2-wire.md section 8)
 */
public record DelegationRef(int rowId, String clientId, Instant expiresAt, Path proxyFile, String info) {}
