package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.delegation.DelegationGrid.USER;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyVaultTest {
    @TempDir
    Path directory;

    private Path file;
    private final PrivateKey key = USER.key();

    @BeforeEach
    void name() {
        file = directory.resolve("delegation.key");
    }

    @Test
    void whatIsSealedOpensAgainAlsoAfterARestart() throws IOException {
        byte[] sealed = KeyVault.open(file, true).seal(key);
        assertThat(KeyVault.open(file, true).unseal(sealed)).isEqualTo(key);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(directory.toFile().list()).containsExactly("delegation.key");
    }

    @Test
    void theSameKeySealsDifferentlyEachTimeAndShowsNothing() throws IOException {
        KeyVault vault = KeyVault.open(file, true);
        byte[] sealed = vault.seal(key);
        assertThat(vault.seal(key)).isNotEqualTo(sealed);
        assertThat(sealed).hasSizeLessThanOrEqualTo(4096);
        assertThat(new String(sealed, java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain(
                        new String(key.getEncoded(), java.nio.charset.StandardCharsets.ISO_8859_1).substring(100, 120));
        String secret = Files.readString(file).strip();
        assertThat(vault.toString()).doesNotContain(secret).isEqualTo("KeyVault");
    }

    @Test
    void anotherSecretIsToldFromDamage() throws IOException {
        byte[] sealed = KeyVault.open(file, true).seal(key);
        KeyVault other = KeyVault.open(directory.resolve("other.key"), true);
        assertThatThrownBy(() -> other.unseal(sealed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the key file is not the one it was sealed with");
        assertThatThrownBy(() -> other.unseal(new byte[5])).hasMessageContaining("damaged: 5 bytes");
    }

    @Test
    void anAbsentFileIsNotMadeUnlessToldSo() {
        assertThatThrownBy(() -> KeyVault.open(file, false))
                .isInstanceOf(IOException.class)
                .hasMessage("key file " + file + " does not exist");
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileOthersMayReadIsRefused() throws IOException {
        KeyVault.open(file, true);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> KeyVault.open(file, true)).hasMessageContaining("has mode rw-r-----");
    }

    @Test
    void aFileThatIsNoKeyIsRefusedWithoutShowingIt() throws IOException {
        for (String content :
                new String[] {"short", Base64.getEncoder().encodeToString(new byte[16]), "secret!secret!"}) {
            Files.writeString(file, content);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            assertThatThrownBy(() -> KeyVault.open(file, true))
                    .hasMessage("key file " + file + " must hold 32 bytes in base64")
                    .hasNoCause();
        }
    }
}
