package org.gelato.ce.ws.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.gelato.ce.ws.web.RequestContext;
import org.junit.jupiter.api.Test;

class CallLimitsTest {
    private static final int KIB = 1 << 10;
    /** Room for 400 KiB of large calls. */
    private static final long HEAP = 400L * KIB * 24 * 2;

    private final AtomicLong now = new AtomicLong();
    private final CallLimits limits = new CallLimits(10, 2, 10, HEAP, now::get);

    private static <T> T proxy(Class<T> type, Map<String, Object> values) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    String name = method.getName();
                    if (name.equals("setAttribute")) {
                        return values.put((String) arguments[0], arguments[1]);
                    }
                    return values.get(name.equals("getAttribute") ? (String) arguments[0] : name);
                }));
    }

    private static HttpServletRequest request() {
        AsyncContext waiting = proxy(AsyncContext.class, new HashMap<>());
        HttpServletRequest request =
                proxy(HttpServletRequest.class, new HashMap<>(Map.of("isAsyncSupported", true, "startAsync", waiting)));
        Exchange exchange = new Exchange(
                new MemoryBudget(1, 1),
                MinimumRate.Slowest.USUAL,
                System::nanoTime,
                new RequestContext("1", "192.0.2.1"));
        exchange.enter(request, proxy(HttpServletResponse.class, new HashMap<>()));
        return request;
    }

    private boolean enter(String person, int bytes) {
        return limits.enter(request(), person, bytes);
    }

    @Test
    void onePersonHasAQuarterOfWhatLargeCallsHold() {
        assertThat(enter("alice", 60 * KIB)).isTrue();
        assertThat(enter("alice", 40 * KIB)).isTrue();
        assertThat(enter("alice", 60 * KIB)).as("beyond the share").isFalse();
        assertThat(enter("bob", 60 * KIB)).as("of another person").isTrue();
    }

    private static int taken(BooleanSupplier call) {
        return (int) IntStream.range(0, 5).filter(i -> call.getAsBoolean()).count();
    }

    @Test
    void oneUserLeavesProcessorsToOthersWhoCall() {
        assertThat(taken(() -> enter("flooder", 1))).as("alone").isEqualTo(5);
        enter("alice", 1);
        assertThat(taken(() -> enter("flooder", 1))).as("beside Alice").isZero();
        assertThat(taken(() -> enter("bob", 1))).isEqualTo(2);
    }

    @Test
    void whoseCallLastsIsAnotherHoweverLongAgoItCame() {
        enter("alice", 1);
        now.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(taken(() -> enter("bob", 1))).as("beside Alice's call").isEqualTo(2);
    }

    @Test
    void largeCallsOfAUserAreWorkedOnOneByOneBesideOthers() {
        enter("alice", 1);
        assertThat(taken(() -> enter("flooder", 40 * KIB))).isEqualTo(1);
    }

    @Test
    void allPersonsTogetherHaveWhatTheMemoryHolds() {
        for (int i = 0; i < 4; i++) {
            assertThat(enter("person " + i, 100 * KIB)).isTrue();
        }
        assertThat(enter("another", 100 * KIB)).isFalse();
    }
}
