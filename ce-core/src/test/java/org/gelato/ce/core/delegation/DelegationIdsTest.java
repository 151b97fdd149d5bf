package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.gelato.ce.core.identity.GridIdentity;
import org.junit.jupiter.api.Test;

class DelegationIdsTest {
    private static final String SUFFIX = "20260102030405";
    private final GridIdentity identity = new GridIdentity(
            "CN=A B,O=Gelato", List.of("/dteam", "/dteam/x"), "dteam", false, Instant.EPOCH, List.of());

    @Test
    void whiteSpaceAroundAnIdIsTrimmed() {
        assertThat(DelegationIds.resolve(identity, "\n  my id \t")).isEqualTo("my id");
    }

    @Test
    void anEmptyIdMeansTheHashOfDnAndFqans() {
        // printf 'CN_A_B_O_Gelato/dteam/dteam/x' | sha1sum
        String hash = "f5578bba1cd68247ed732479e5acac6ab92559db";
        assertThat(DelegationIds.resolve(identity, " ")).isEqualTo(hash);
        assertThat(DelegationIds.resolve(identity, null)).isEqualTo(hash);
    }

    @Test
    void anIdOf255CharactersIsTakenAndALongerOneRefusedByName() {
        assertThat(DelegationIds.resolve(identity, "x".repeat(255))).hasSize(255);
        assertThatThrownBy(() -> DelegationIds.resolve(identity, "x".repeat(256)))
                .isInstanceOf(DelegationRefused.class)
                .hasMessage("delegation id too long: 256 characters, at most 255 are accepted");
    }

    @Test
    void aControlCharacterIsRefusedByName() {
        assertThatThrownBy(() -> DelegationIds.resolve(identity, "a\nb"))
                .isInstanceOf(DelegationRefused.class)
                .hasMessage("delegation id holds the control character U+000A, which is not accepted");
        assertThat(DelegationIds.acceptable("a\u0000b")).isFalse();
    }

    @Test
    void aPlainIdIsTheFileNameItself() {
        assertThat(DelegationIds.fileName("4f1c_A", SUFFIX)).isEqualTo("4f1c_A_" + SUFFIX);
    }

    @Test
    void idsThatNormaliseAlikeHaveDifferentFiles() {
        assertThat(DelegationIds.fileName("a-b", SUFFIX))
                .startsWith("a_b_")
                .isNotEqualTo(DelegationIds.fileName("a.b", SUFFIX))
                .isNotEqualTo(DelegationIds.fileName("a_b", SUFFIX));
    }

    @Property
    void aFileNameIsPlainAndFitsAnyFileSystem(@ForAll @StringLength(min = 1, max = 255) String id) {
        assertThat(DelegationIds.fileName(id, SUFFIX))
                .matches("[A-Za-z0-9_]{1,255}")
                .endsWith("_" + SUFFIX);
    }
}
