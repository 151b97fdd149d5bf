package org.gelato.ce.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Authorizer;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.NoUser;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenIdentity;
import org.junit.jupiter.api.Test;

class MonitoringReadersTest {
    private static final Authorizer NOBODY = identity -> {
        throw new ServiceException.NotAuthorized(identity.subject() + " is not mapped");
    };

    private final MonitoringReaders readers =
            new MonitoringReaders(List.of("/DC=test/CN=Op", "https://issuer.example.org/,op"));

    private static Identity person(String dn) {
        return new GridIdentity(dn, List.of(), null, false, Instant.MAX, List.of());
    }

    private static Identity token(String name, boolean capable, Permission... permissions) {
        return new TokenIdentity(
                "https://issuer.example.org/",
                name,
                null,
                Set.of(permissions),
                capable,
                List.of(),
                "",
                null,
                Instant.MAX);
    }

    @Test
    void readersNeedNoMapping() {
        Caller reader = readers.beside(NOBODY).authorize(person("CN=Op,DC=test"));
        assertThat(reader.admin()).isFalse();
        assertThat(readers.contains(reader.identity())).isTrue();
        assertThat(readers.beside(NOBODY).authorize(token("op", false)).account())
                .isEqualTo("nobody");
    }

    @Test
    void othersAreWhoTheyAreWithoutThem() {
        assertThat(readers.contains(person("CN=op,DC=test"))).isFalse();
        assertThatThrownBy(() -> readers.beside(NOBODY).authorize(person("CN=Other,DC=test")))
                .hasMessageContaining("is not mapped");
        Caller mapped = new Caller(person("CN=Op,DC=test"), "dteam001", true);
        assertThat(readers.beside(identity -> mapped).authorize(mapped.identity()))
                .isSameAs(mapped);
        assertThat(MonitoringReaders.NONE.contains(person("CN=Op,DC=test"))).isFalse();
    }

    @Test
    void aTokenWithCapabilitiesMustPermitToRead() {
        assertThat(readers.contains(token("op", true, Permission.MODIFY))).isFalse();
        assertThat(readers.contains(token("op", true, Permission.READ))).isTrue();
    }

    @Test
    void whoIsBannedIsRefused() {
        Authorizer banned = identity -> {
            throw NoUser.banned(identity, "banned");
        };
        assertThatThrownBy(() -> readers.beside(banned).authorize(person("CN=Op,DC=test")))
                .hasMessageEndingWith("banned");
    }

    @Test
    void whatIsNoNameIsRefused() {
        assertThatThrownBy(() -> new MonitoringReaders(List.of("Op"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MonitoringReaders(List.of(""))).isInstanceOf(IllegalArgumentException.class);
    }
}
