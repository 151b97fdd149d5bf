package org.gelato.ce.ws.gridftp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GridFtpAccessTest {
    @Test
    void theDefaultPortIsLeftOut() {
        GridFtpAccess access = new GridFtpAccess("ce.example.org", 2811, caller -> {});
        assertThat(access.input("/sandbox/x")).isEqualTo("gsiftp://ce.example.org/sandbox/x/ISB");
        assertThat(access.output("/sandbox/x")).isEqualTo("gsiftp://ce.example.org/sandbox/x/OSB");
    }

    @Test
    void anotherPortIsNamed() {
        GridFtpAccess access = new GridFtpAccess("ce.example.org", 2911, caller -> {});
        assertThat(access.input("/sandbox/x")).isEqualTo("gsiftp://ce.example.org:2911/sandbox/x/ISB");
        assertThat(access.output(null)).isNull();
    }

    /** A client that knows GridFTP alone then reports a refused connection, and not a missing file of its own. */
    @Test
    void withoutAServerTheUrisAreThoseOfCream() {
        GridFtpAccess access = GridFtpAccess.without("ce.example.org", 2811);
        assertThat(access.isThere()).isFalse();
        assertThat(access.input("/sandbox/CREAM000000007"))
                .isEqualTo("gsiftp://ce.example.org/sandbox/CREAM000000007/ISB");
        assertThat(access.output("/sandbox/CREAM000000007")).endsWith("/OSB");
    }
}
