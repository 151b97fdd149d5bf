package org.gelato.ce.description;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where files come from and how they are called there. */
class SandboxItemTest {
    @ParameterizedTest
    @CsvSource({
        "x, ",
        "/p/x, ",
        "/p/x, gsiftp://h/d",
        "file:///p/x, gsiftp://h/d",
        "FILE:///p/x, ",
        "x, file:///d",
    })
    void uploadedByTheClient(String item, String base) {
        assertThat(SandboxItem.source(item, base)).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GSIFTP://h:2811/p/x?DN=/C=I/CN=h |                            | gsiftp://h:2811/p/x | /C=I/CN=h
            https://h/x                      | gsiftp://other             | https://h/x         | ''
            x                                | gsiftp://h                 | gsiftp://h/x        | ''
            d/a b%é?                         | gsiftp://h/e/\\?DN=/CN=h h | gsiftp://h/e/d/a%20b%25%C3%A9%3F | /CN=h h
            """)
    void fetchedByTheJob(String item, String base, String url, String subject) {
        assertThat(SandboxItem.source(item, base)).isEqualTo(new RemoteFile(url, subject));
    }

    @Test
    void aServerNamedAloneIsADirectoryAndTheCeItselfIsNone() {
        assertThat(OutputDestination.file("https://h/x")).isEqualTo(new RemoteFile("https://h/x", ""));
        assertThat(OutputDestination.file("https://h?DN=/CN=h")).isEqualTo(new RemoteFile("https://h/", "/CN=h"));
        assertThat(OutputDestination.file("gsiftp://localhost/x")).isNull();
    }

    @Test
    void serversAreComparedByName() {
        RemoteFile file = RemoteFile.of("gsiftp://WMS.example.org:2811/x");
        assertThat(file.isAt("wms.example.org")).isTrue();
        assertThat(file.isAt("example.org")).isFalse();
        assertThat(file.isAt(null)).isFalse();
    }
}
