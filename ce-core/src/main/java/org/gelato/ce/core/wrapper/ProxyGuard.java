package org.gelato.ce.core.wrapper;

import java.time.Duration;

/**
 * How a wrapper keeps its job's proxy valid (docs/developer/protocol/behaviour.md section 6).
 *
 * @param slot how long before the proxy's end it checks for a renewed one; whole seconds count
 * @param retryWait least time between two checks in that time; whole seconds count
 */
public record ProxyGuard(Duration slot, Duration retryWait) {}
