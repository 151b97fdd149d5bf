package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import org.gelato.ce.ws.web.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The path and the query of a request. */
class ArcCallTest {
    private static HttpServletRequest request(String raw, String decoded, String query) {
        return (HttpServletRequest) Proxy.newProxyInstance(
                HttpServletRequest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getRequestURI" -> ArcCall.ROOT + raw;
                    case "getPathInfo" -> decoded;
                    case "getQueryString" -> query;
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    private static String parameter(String query, String name) {
        return ArcCall.parameter(request("", null, query), name);
    }

    @Test
    void thePathIsItsPartsWithoutEmptyOnes() {
        assertThat(ArcCall.parts(request("", null, null))).isEmpty();
        assertThat(ArcCall.parts(request("/", "/", null))).isEmpty();
        assertThat(ArcCall.parts(request("/1.0//jobs/", "/1.0//jobs/", null))).containsExactly("1.0", "jobs");
        assertThat(ArcCall.parts(request("/1.0/jobs/a/session/b%20c", "/1.0/jobs/a/session/b c", null)))
                .containsExactly("1.0", "jobs", "a", "session", "b c");
    }

    @Test
    void aPathOfThousandsOfPartsIsRefused() {
        HttpServletRequest request = request("/x", "/x".repeat(4000), null);
        assertThatThrownBy(() -> ArcCall.parts(request))
                .isInstanceOfSatisfying(
                        Refusal.class, e -> assertThat(e.status()).isEqualTo(400));
        assertThat(ArcCall.parts(request("/x", "/x".repeat(50), null))).hasSize(50);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "null, null",
                "'', null",
                "action=new, new",
                "action=, ''",
                "a=b&action=kill, kill",
                "action=kill&action=clean, kill",
                "action=st%61tus, status",
                "action=a+b, a b",
                "action=a=b, a=b",
                "Action=new, null",
                "xaction=new, null",
                "action, null",
                "=action, null",
                "&&&action=new, new",
                "act%69on=new, null"
            })
    void aParameterIsTheFirstOfItsName(String query, String value) {
        assertThat(parameter(query, "action")).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%2", "%zz", "a%"})
    void aParameterThatIsNotEncodedAsItShouldIsRefused(String value) {
        assertThatThrownBy(() -> parameter("action=" + value, "action"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        e -> assertThat(e.getMessage()).contains("action").contains("percent-encoded"));
    }

    @Test
    void thousandsOfParametersAreNotRead() {
        assertThat(parameter("a=b&".repeat(100) + "action=new", "action")).isEqualTo("new");
        assertThat(parameter("a=b&".repeat(100_000) + "action=new", "action")).isNull();
    }
}
