package org.gelato.ce.core.wrapper;

import java.time.Duration;

/**
 * How a wrapper looks after its job's proxy (docs/protocol/behaviour.md section 6).
 *
 * @param slot how long before the proxy's end a renewed one is looked for; whole seconds count
 * @param retryWait least time between two looks in that time; whole seconds count
 */
public record ProxyGuard(Duration slot, Duration retryWait) {}
