package org.gelato.ce.ws.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeldResponseTest {
    private final Map<String, String> headers = new HashMap<>();

    private HttpServletResponse container() {
        return (HttpServletResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "setHeader" -> headers.put((String) arguments[0], (String) arguments[1]);
                    case "getHeader" -> headers.get((String) arguments[0]);
                    case "containsHeader" -> headers.containsKey((String) arguments[0]);
                    case "reset" -> {
                        headers.clear();
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void theLastAnswerOfARowEndsTheConnectionAlsoWhenItBecomesARefusal() {
        headers.put("Connection", "close");
        headers.put("X-Request-Id", "0123");
        HeldResponse response = new HeldResponse(container());
        response.setHeader("Content-Language", "en");
        response.reset();
        assertThat(headers).containsOnly(Map.entry("Connection", "close"), Map.entry("X-Request-Id", "0123"));
    }

    @Test
    void aResetAddsNothing() {
        headers.put("Retry-After", "1");
        new HeldResponse(container()).reset();
        assertThat(headers).isEmpty();
    }
}
