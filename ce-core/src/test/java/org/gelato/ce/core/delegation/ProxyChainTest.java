package org.gelato.ce.core.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.gelato.ce.core.delegation.DelegationGrid.SPARE_KEY;
import static org.gelato.ce.core.delegation.DelegationGrid.USER;
import static org.gelato.ce.core.delegation.DelegationGrid.proxy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.gelato.ce.core.delegation.DelegationGrid.Kind;
import org.gelato.ce.core.fault.ServiceException.DelegationRefused;
import org.junit.jupiter.api.Test;

class ProxyChainTest {
    private final String pem = ProxyChain.pem(proxy(USER, SPARE_KEY.getPublic(), Kind.RFC));

    @Test
    void lineEndsAndTheLastNewlineDoNotMatter() {
        ProxyChain chain = ProxyChain.parse(pem);
        assertThat(chain.certificates()).hasSize(2);
        assertThat(chain.pem()).isEqualTo(pem);
        assertThat(ProxyChain.parse(pem.replace("\n", "\r\n")).pem()).isEqualTo(pem);
        assertThat(ProxyChain.parse(pem.strip()).pem()).isEqualTo(pem);
        assertThat(ProxyChain.parse("\n   " + pem).pem()).isEqualTo(pem);
        assertThat(ProxyChain.parse("subject=/C=EU\n" + pem).pem()).isEqualTo(pem);
    }

    @Test
    void whatIsNoChainIsRefused() {
        refused(() -> ProxyChain.parse(null), "it has no PEM certificate");
        refused(() -> ProxyChain.parse("  "), "it has no PEM certificate");
        refused(() -> ProxyChain.parse("hello"), "it has no PEM certificate");
        refused(() -> ProxyChain.parse(Pem.block("PRIVATE KEY", new byte[9])), "something else than certificates");
        refused(() -> ProxyChain.parse(pem + Pem.block("CERTIFICATE", new byte[9])), "certificate 3 does not parse");
        refused(() -> ProxyChain.parse(pem.substring(0, pem.length() - 40)), "certificate 2 does not parse");
        refused(() -> ProxyChain.parse(pem.replaceFirst("MII", "M!I")), "certificate 1 does not parse");
    }

    @Test
    void sizeAndLengthAreBounded() {
        refused(() -> ProxyChain.parse(" x".repeat(70_000)), "it has 139999 characters, at most 131072 are accepted");
        String one = ProxyChain.pem(List.of(USER.certificate()));
        assertThat(ProxyChain.parse(one.repeat(20)).certificates()).hasSize(20);
        refused(() -> ProxyChain.parse(one.repeat(21)), "it has more than 20 certificates");
    }

    @Property(tries = 300)
    void anyTextIsParsedOrRefused(@ForAll String text, @ForAll boolean inBlock) {
        String input = inBlock ? "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----" : text;
        assertThatThrownBy(() -> ProxyChain.parse(input)).isInstanceOf(DelegationRefused.class);
    }

    private static void refused(ThrowingCallable parse, String why) {
        assertThatThrownBy(parse)
                .isInstanceOf(DelegationRefused.class)
                .hasMessageStartingWith("Failed to load certificate chain")
                .hasMessageContaining(why);
    }
}
