package org.gelato.ce.ws.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventCursorTest {
    private static final Instant MADE = Instant.ofEpochMilli(1_700_000_000_123L);

    @Test
    void aCursorNamesItsDatabaseOrNot() {
        assertThat(EventCursor.parse("from", "1700000000123-42")).isEqualTo(new EventCursor(MADE, 42));
        assertThat(EventCursor.parse("from", EventCursor.text(MADE, 42)).isOf(MADE))
                .isTrue();
        assertThat(EventCursor.parse("from", "42").isOf(MADE)).isTrue();
        assertThat(EventCursor.parse("from", "1700000000124-42").isOf(MADE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "1-", "1-2-3", "1 2", "1234567890123456789", "1e3", "٣"})
    void whatIsNoCursorIsRefused(String text) {
        assertThatThrownBy(() -> EventCursor.parse("from", text)).hasMessageContaining("from is no cursor");
    }

    /** Computed by openssl dgst -sha256 -hmac. */
    @Test
    void aSignatureIsThatOfOpenssl() {
        assertThat(Signature.of(
                        "0123456789abcdef".getBytes(StandardCharsets.US_ASCII),
                        1_700_000_000L,
                        "{}".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("t=1700000000,v1=e4f8e2ecae2295b2ddb2f0b5584c8275e226c0ebe9b3b819e70156bb67122e3e");
    }
}
