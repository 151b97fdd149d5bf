package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
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
    void the_path_is_its_parts_without_empty_ones() {
        assertThat(ArcCall.parts(request("", null, null))).isEmpty();
        assertThat(ArcCall.parts(request("/", "/", null))).isEmpty();
        assertThat(ArcCall.parts(request("/1.0//jobs/", "/1.0//jobs/", null))).containsExactly("1.0", "jobs");
        assertThat(ArcCall.parts(request("/1.0/jobs/a/session/b%20c", "/1.0/jobs/a/session/b c", null)))
                .containsExactly("1.0", "jobs", "a", "session", "b c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/1.0/jobs;x=y", "/1.0/jobs/a%2fb", "/1.0/jobs/a%2Fb", "/1.0/jobs/..%5cb", "/1.0/%5C"})
    void what_could_be_taken_for_another_path_is_refused(String raw) {
        HttpServletRequest request = request(raw, raw, null);
        assertThatThrownBy(() -> ArcCall.parts(request))
                .isInstanceOfSatisfying(
                        ArcRefusal.class, e -> assertThat(e.status()).isEqualTo(400));
    }

    @Test
    void a_path_of_thousands_of_parts_is_refused() {
        HttpServletRequest request = request("/x", "/x".repeat(4000), null);
        assertThatThrownBy(() -> ArcCall.parts(request))
                .isInstanceOfSatisfying(
                        ArcRefusal.class, e -> assertThat(e.status()).isEqualTo(400));
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
    void a_parameter_is_the_first_of_its_name(String query, String value) {
        assertThat(parameter(query, "action")).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%2", "%zz", "a%"})
    void a_parameter_that_is_not_encoded_as_it_should_is_refused(String value) {
        assertThatThrownBy(() -> parameter("action=" + value, "action"))
                .isInstanceOfSatisfying(
                        ArcRefusal.class,
                        e -> assertThat(e.getMessage()).contains("action").contains("percent-encoded"));
    }

    @Test
    void thousands_of_parameters_are_not_read() {
        assertThat(parameter("a=b&".repeat(100) + "action=new", "action")).isEqualTo("new");
        assertThat(parameter("a=b&".repeat(100_000) + "action=new", "action")).isNull();
    }
}
