package org.gelato.ce.ws.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlParametersTest extends ServerFixture {
    private HttpResponse<String> send(String method, String path, String caller) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("X-Caller", caller)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /ce-cream/admin/drains?queue=long",
        "DELETE, /ce-cream/admin/drains",
        "PUT, /ce-cream/admin/bans?vo=cms",
        "DELETE, /ce-cream/admin/bans?vo=cms",
        "GET, /ce-cream/admin/bans"
    })
    void othersAreRefused(String method, String path) throws Exception {
        assertThat(send(method, path, "alice").statusCode()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({
        "PUT, /ce-cream/admin/drains?queue=long&vo=cms, exclude each other",
        "PUT, /ce-cream/admin/drains?queue=none, does not exist here",
        "PUT, /ce-cream/admin/bans, expected one of",
        "PUT, /ce-cream/admin/bans?vo=cms&fqan=/cms, exclude each other",
        "PUT, /ce-cream/admin/bans?vo=cms&jobs=kill, neither keep nor cancel"
    })
    void anInvalidParameterIsNamed(String method, String path, String text) throws Exception {
        HttpResponse<String> response = send(method, path, "admin");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).path("error").asText()).contains(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PUT    | /ce-cream/admin/jobs       | GET, HEAD
            DELETE | /ce-cream/admin/explain    | GET, HEAD
            POST   | /ce-cream/usage            | GET, HEAD
            DELETE | /ce-cream/admin/accounting | GET, HEAD, PUT
            POST   | /ce-cream/admin/bans       | GET, HEAD, PUT, DELETE
            PATCH  | /ce-cream/admin/drains     | GET, HEAD, PUT, DELETE
            OPTIONS| /ce-cream/admin/accounting | GET, HEAD, PUT
            """)
    void anotherMethodIsRefusedWithThoseThereAre(String method, String path, String allowed) throws Exception {
        HttpResponse<String> response = send(method, path, "admin");
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).hasValue(allowed);
        assertThat(json(response).path("error").asText())
                .startsWith("only " + allowed.replace(", HEAD", ""))
                .endsWith("possible here, not " + method);
    }

    @Test
    void aDefectIsA500WhateverItsException() throws Exception {
        HttpResponse<String> response = send("GET", "/ce-cream/admin/explain?dn=/CN=" + FakeServices.DEFECT, "admin");
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.headers().firstValue("Allow")).isEmpty();
    }
}
