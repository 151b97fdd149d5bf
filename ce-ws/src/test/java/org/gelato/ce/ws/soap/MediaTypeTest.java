package org.gelato.ce.ws.soap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypeTest {
    @Test
    void readsCharsetAndAction() {
        assertThat(MediaType.parse("Application/SOAP+XML;charset=\"UTF-8\"; action=\"http://x/JobList\"; x=y"))
                .contains(new MediaType("utf-8", "http://x/JobList"));
        assertThat(MediaType.parse("text/xml; charset=utf-8")).contains(new MediaType("utf-8", null));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "text/xml", "application/xml;"})
    void takesWhatNamesNoCharset(String header) {
        assertThat(MediaType.parse(header)).contains(new MediaType(null, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "multipart/related; boundary=x",
                "application/fastinfoset",
                "text/xml; charset=utf-7",
                "text/xml; charset=",
                "xml"
            })
    void refusesTheRest(String header) {
        assertThat(MediaType.parse(header)).isEmpty();
    }
}
