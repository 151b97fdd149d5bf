package org.gelato.ce.core.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DnFormsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/C=IT/O=INFN/CN=Anna Rossi | CN=Anna Rossi,O=INFN,C=IT",
                "/DC=org/DC=test/CN=a | CN=a,DC=test,DC=org",
                "/O=x/CN=host/node.example.org | CN=host/node.example.org,O=x",
                "/O=x/emailAddress=a@b.c | EMAILADDRESS=a@b.c,O=x",
                "/O=x/UID=u1/CN=a, b | CN=a\\, b,UID=u1,O=x",
                "/O=x/CN=a+UID=b | CN=a+UID=b,O=x",
                "/O=x/CN=C++ | CN=C\\+\\+,O=x",
                "/O=x/CN=Ren\\xC3\\xA9 | CN=René,O=x",
                "/O=x/serialNumber=7/CN=a | CN=a,SERIALNUMBER=7,O=x",
                "/CN=#1 | CN=\\#1",
                "/CN=say \"hi\" | CN=say \\\"hi\\\"",
                "/CN=a/b=c | CN=a/b\\=c",
            })
    void convertsBothWays(String slash, String rfc2253) {
        assertThat(DnForms.rfc2253(slash)).isEqualTo(rfc2253);
        assertThat(DnForms.slash(rfc2253)).isEqualTo(slash);
    }

    @Test
    void spellingsOfAnAttributeTypeAreEqual() {
        String expected = DnForms.comparable("/O=x/emailAddress=a@b.c");
        assertThat(List.of(
                        "/O=x/E=a@b.c",
                        "/O=x/Email=a@b.c",
                        "EMAILADDRESS=a@b.c,O=x",
                        "E=a@b.c, O=x",
                        "1.2.840.113549.1.9.1=#16056140622e63,O=x"))
                .allSatisfy(dn -> assertThat(DnForms.comparable(dn)).isEqualTo(expected));
        assertThat(DnForms.comparable("/USERID=a")).isEqualTo(DnForms.comparable("UID=a"));
    }

    @Test
    void theNameOfACertificateIsTheSameAsItsText() {
        X500Principal principal = new X500Principal("CN=a\\, b+UID=c, EMAILADDRESS=x@y.z, DC=test, DC=org");
        String text = DnForms.rfc2253(principal);
        assertThat(text).isEqualTo("CN=a\\, b+UID=c,EMAILADDRESS=x@y.z,DC=test,DC=org");
        assertThat(new X500Principal(text)).isEqualTo(principal);
        assertThat(DnForms.comparable(text)).isEqualTo(DnForms.comparable("/DC=org/DC=test/E=x@y.z/CN=a, b+UID=c"));
    }

    @Test
    void anAttributeWithoutKeywordKeepsItsEncoding() {
        String text = DnForms.rfc2253(new X500Principal("2.5.4.97=#0c0358595a,O=x"));
        assertThat(text).isEqualTo("2.5.4.97=#0c0358595a,O=x");
        assertThat(DnForms.comparable("/O=x/2.5.4.97=XYZ")).isEqualTo(DnForms.comparable(text));
    }

    @Test
    void aSlashInsideAValueIsNoSecondAttribute() {
        X500Principal tricky =
                principal(new X500NameBuilder().addRDN(BCStyle.O, "x").addRDN(BCStyle.CN, "mallory/CN=alice"));
        String text = DnForms.rfc2253(tricky);
        assertThat(DnForms.comparable(text)).isNotEqualTo(DnForms.comparable("/O=x/CN=mallory/CN=alice"));
        assertThat(DnForms.comparable(DnForms.slash(text))).isEqualTo(DnForms.comparable(text));
    }

    @Test
    void controlCharactersNeverReachALogLine() {
        X500Principal tricky = principal(new X500NameBuilder().addRDN(BCStyle.CN, "a\nERROR forged\u2028\u0085"));
        assertThat(DnForms.rfc2253(tricky)).isEqualTo("CN=a\\0AERROR forged\\E2\\80\\A8\\C2\\85");
        assertThat(DnForms.rfc2253(DnForms.rfc2253(tricky))).isEqualTo(DnForms.rfc2253(tricky));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dteam/Role=x", "/", "/CN", "CN", "CN=a,O", "/FOO=a", "CN=a\\"})
    void whatIsNoNameIsRefused(String text) {
        assertThatThrownBy(() -> DnForms.comparable(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theOrderWithinAMultiValuedPartDoesNotCount() {
        assertThat(DnForms.rfc2253("/O=x/UID=b+CN=a")).isEqualTo("CN=a+UID=b,O=x");
        assertThat(DnForms.comparable("UID=b+CN=a,O=x")).isEqualTo(DnForms.comparable("/O=x/CN=a+UID=b"));
        assertThat(DnForms.comparable("UID=b,CN=a,O=x")).isNotEqualTo(DnForms.comparable("/O=x/CN=a+UID=b"));
    }

    @Test
    void caseCountsInValuesOnly() {
        assertThat(DnForms.comparable("/cn=a")).isEqualTo(DnForms.comparable("CN=a"));
        assertThat(DnForms.comparable("/CN=A")).isNotEqualTo(DnForms.comparable("/CN=a"));
    }

    @Property
    void everyNameSurvivesBothForms(@ForAll("names") X500Principal name) {
        String rfc2253 = DnForms.rfc2253(name);
        String key = DnForms.comparable(rfc2253);
        assertThat(DnForms.rfc2253(rfc2253)).isEqualTo(rfc2253);
        assertThat(DnForms.comparable(DnForms.slash(rfc2253))).isEqualTo(key);
        assertThat(DnForms.slash(rfc2253)).matches("[ -~]*");
    }

    @Provide
    Arbitrary<X500Principal> names() {
        Arbitrary<String> values = Arbitraries.strings()
                .withChars("ab /+=,\\\"#<>;x0C")
                .withChars('é', '\n', '\u2028', '漢')
                .ofMinLength(1)
                .ofMaxLength(12);
        Arbitrary<String> tricky = Arbitraries.of("x/CN=y", "\\x41", "a+O=b", " a ", "#a");
        Arbitrary<List<String>> two = Arbitraries.oneOf(values, tricky).list().ofSize(2);
        return Combinators.combine(two, Arbitraries.of(BCStyle.O, BCStyle.UID, BCStyle.E))
                .as((v, type) -> principal(new X500NameBuilder()
                        .addRDN(type, new DERUTF8String(v.get(0)))
                        .addRDN(BCStyle.CN, new DERUTF8String(v.get(1)))));
    }

    private static X500Principal principal(X500NameBuilder name) {
        try {
            return new X500Principal(name.build().getEncoded());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theTestKitWritesNamesAlike(@TempDir Path directory) throws IOException {
        GridPki pki = GridPki.open(directory, "ce.gelato.test");
        GridCredential user = pki.user("Alice Example");
        assertThat(user.subject()).isEqualTo(DnForms.rfc2253(user.certificate().getSubjectX500Principal()));
        X509Certificate voms = pki.voms().credential().certificate();
        assertThat(Files.readAllLines(pki.vomsdir().resolve("dteam/voms.gelato.test.lsc")))
                .containsExactly(
                        DnForms.slash(DnForms.rfc2253(voms.getSubjectX500Principal())),
                        DnForms.slash(DnForms.rfc2253(voms.getIssuerX500Principal())));
    }
}
