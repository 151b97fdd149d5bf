package org.gelato.ce.core.wrapper;

import java.time.Duration;
import org.gelato.ce.core.base.Key;

/**
 * How a wrapper keeps its job's proxy valid (docs/developer/protocol/behaviour.md section 6).
 *
 * @param slot how long before the proxy's end it checks for a renewed one; whole seconds count
 * @param retryWait least time between two checks in that time; whole seconds count
 */
public record ProxyGuard(
        @Key(value = "delegation-time-slot", min = "1 s", max = "7 days")
        Duration slot,

        @Key(value = "proxy-retry-wait", min = "1 s", max = "1 day")
        Duration retryWait) {}
