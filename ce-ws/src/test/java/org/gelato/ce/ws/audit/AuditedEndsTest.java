package org.gelato.ce.ws.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AuditedEndsTest {
    @Test
    void reasonsLoseThePasswordsAndTokensOfAddresses() {
        assertThat(AuditedEnds.withoutSecrets("cannot put https://ann:pw@se.example.org/f?token=abc&x=1: 403"))
                .isEqualTo("cannot put https://...@se.example.org/f?... 403");
        assertThat(AuditedEnds.withoutSecrets("what is a@b?")).isEqualTo("what is a@b?");
        assertThat(AuditedEnds.withoutSecrets(null)).isNull();
    }
}
