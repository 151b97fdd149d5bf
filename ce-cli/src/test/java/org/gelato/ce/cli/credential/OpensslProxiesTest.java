package org.gelato.ce.cli.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.emi.security.authn.x509.helpers.proxy.ProxyHelper;
import eu.emi.security.authn.x509.impl.CertificateUtils;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import javax.net.ssl.X509ExtendedKeyManager;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.core.fixture.Bash;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Credentials of users with keys of several kinds, in the forms that openssl writes, connect and delegate. */
class OpensslProxiesTest {
    private static final String USER = "openssl req -x509 -days 9 -subj /DC=org/CN=Jane -nodes -out cert";
    private static final String PROXY = "openssl req -new -subj /DC=org/CN=Jane/CN=77 -nodes -keyout own -out request"
            + " OF; openssl x509 -req -days 5 -set_serial 77 -in request -CA cert -CAkey key -out proxy;"
            + " cat proxy own cert >file";

    private static final String KEY_USAGE = "2.5.29.15";
    private static final String PROXY_CERT_INFO = "1.3.6.1.5.5.7.1.14";

    @TempDir
    Path home;

    /** As a CE and its client have it: then keys on curves are BouncyCastle's, whose names for them differ from Java's. */
    @BeforeAll
    static void configure() {
        CertificateUtils.configureSecProvider();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RSA   | RSA, as requests have it     | USER -newkey rsa:2048 -keyout key; cat cert key >file",
                "RSA   | RSA, traditional             | USER -newkey rsa:2048 -keyout key; cat cert >file; openssl rsa -traditional -in key >>file",
                "EC    | P-256                        | USER -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -keyout key; cat cert key >file",
                "EC    | P-384 with its parameters    | openssl ecparam -name secp384r1 -genkey -out key; USER -key key; cat cert key >file",
                "EC    | P-256, key first             | openssl ecparam -name prime256v1 -genkey -out key; USER -key key; cat key cert >file",
                "RSA   | RSA proxy of a P-256 user    | openssl ecparam -name prime256v1 -genkey -out key; USER -key key; PROXY -newkey rsa:2048",
                "EC    | P-256 proxy of a P-384 user  | openssl ecparam -name secp384r1 -genkey -out key; USER -key key;"
                        + " PROXY -newkey ec -pkeyopt ec_paramgen_curve:prime256v1",
                "EC    | P-256 proxy of an RSA user   | USER -newkey rsa:2048 -keyout key;"
                        + " PROXY -newkey ec -pkeyopt ec_paramgen_curve:prime256v1",
            })
    void aCredentialConnectsAndDelegates(String kind, String form, String commands) throws Exception {
        int options = commands.indexOf("PROXY");
        run(
                options < 0
                        ? commands
                        : commands.substring(0, options) + PROXY.replace("OF", commands.substring(options + 5)));

        UserProxy proxy = UserProxy.load(home.resolve("file"), Clock.systemUTC());

        X509ExtendedKeyManager keys = (X509ExtendedKeyManager) proxy.keyManager();
        assertThat(keys.chooseEngineClientAlias(new String[] {kind}, null, null))
                .isNotNull();
        run("openssl req -new -subj /CN=none -newkey rsa:2048 -nodes -keyout theirs -out request");
        String delegated = new ProxySigner(Clock.systemUTC()).sign(Files.readString(home.resolve("request")), proxy);
        X509Certificate[] chain = PemChain.certificates(delegated.getBytes(StandardCharsets.US_ASCII));
        assertThat(chain).hasSize(proxy.chain().length + 1);
        assertThatCode(() -> chain[0].verify(chain[1].getPublicKey())).doesNotThrowAnyException();
        assertThat(chain[0].getSubjectX500Principal().getName())
                .isEqualTo("CN=" + chain[0].getSerialNumber() + ","
                        + chain[1].getSubjectX500Principal().getName());
        assertThat(chain[0].getIssuerX500Principal()).isEqualTo(chain[1].getSubjectX500Principal());
        assertThat(chain[0].getCriticalExtensionOIDs()).containsExactlyInAnyOrder(KEY_USAGE, PROXY_CERT_INFO);
        // an octet string with a sequence of a policy that is a sequence of id-ppl-inheritAll
        assertThat(HexFormat.of().formatHex(chain[0].getExtensionValue(PROXY_CERT_INFO)))
                .isEqualTo("040e300c300a06082b06010505071501");
        assertThat(chain[0].getKeyUsage()).startsWith(true, false, true, true, false);
        assertThat(chain[0].getNotAfter().toInstant()).isBefore(proxy.expiry());
        assertThat(chain[0].getNotBefore().toInstant())
                .isBeforeOrEqualTo(Instant.now())
                .isAfterOrEqualTo(chain[1].getNotBefore().toInstant());
    }

    /** A validator refuses anything else. */
    @Test
    void belowALimitedProxyAProxyIsLimited() throws Exception {
        run("USER -newkey rsa:2048 -keyout key; "
                + PROXY.replace("OF", "-newkey rsa:2048")
                        .replace(
                                "-days 5",
                                "-days 5 -extfile <(echo proxyCertInfo=critical,language:1.3.6.1.4.1.3536.1.1.1.9)")
                + "; openssl req -new -subj /CN=none -key own -out request");

        String delegated = new ProxySigner(Clock.systemUTC())
                .sign(
                        Files.readString(home.resolve("request")),
                        UserProxy.load(home.resolve("file"), Clock.systemUTC()));

        X509Certificate[] chain = PemChain.certificates(delegated.getBytes(StandardCharsets.US_ASCII));
        assertThat(ProxyHelper.isLimited(chain[1])).isTrue();
        assertThat(ProxyHelper.isLimited(chain[0])).isTrue();
    }

    @Test
    void aProxyHasNoUsageThatAnIssuerLacks() throws Exception {
        run("openssl req -new -subj /DC=org/CN=Jane -newkey rsa:2048 -nodes -keyout key -out request; openssl x509 -req"
                + " -signkey key -extfile <(echo keyUsage=critical,digitalSignature,dataEncipherment) -in request -out cert; "
                + PROXY.replace("OF", "-newkey rsa:2048") + "; openssl req -new -subj /CN=none -key own -out request");

        String delegated = new ProxySigner(Clock.systemUTC())
                .sign(
                        Files.readString(home.resolve("request")),
                        UserProxy.load(home.resolve("file"), Clock.systemUTC()));

        assertThat(PemChain.certificates(delegated.getBytes(StandardCharsets.US_ASCII))[0].getKeyUsage())
                .startsWith(true, false, false, true, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"openssl genrsa 2048", "openssl ecparam -name prime256v1 -genkey"})
    void theKeyOfAnotherIsNamedAsSuch(String kind) throws Exception {
        run(kind + " >key; USER -key key; " + kind + " >other; cat cert other >file");

        assertThatThrownBy(() -> UserProxy.load(home.resolve("file"), Clock.systemUTC()))
                .hasMessageContaining("its key is not that of its first certificate");
    }

    @Test
    void aKeyWithAPasswordIsNamedAsSuch() throws Exception {
        for (String form : new String[] {"openssl rsa -aes128 -traditional", "openssl pkcs8 -topk8 -v2 aes128"}) {
            run("USER -newkey rsa:2048 -keyout key; cat cert >file; " + form + " -passout pass:secret -in key >>file");

            assertThatThrownBy(() -> UserProxy.load(home.resolve("file"), Clock.systemUTC()))
                    .isInstanceOf(CliException.class)
                    .hasMessageContaining("its key has a password");
        }
    }

    private void run(String commands) throws Exception {
        Bash.run(home, commands.replace("USER", USER));
    }
}
