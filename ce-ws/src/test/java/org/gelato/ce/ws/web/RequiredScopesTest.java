package org.gelato.ce.ws.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.ws.web.RequiredScopes.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RequiredScopesTest {
    private static Caller token(Permission... permitted) {
        return new Caller(
                new TokenIdentity(
                        "https://iam.example.org/",
                        "ann",
                        null,
                        Set.of(permitted),
                        true,
                        List.of(),
                        "",
                        null,
                        Instant.MAX),
                "dteam001",
                false);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void everyProtocolIsInTheTable(Protocol protocol) {
        assertThat(RequiredScopes.operations(protocol)).isNotEmpty();
    }

    /** The scope that is named is the one a user is to request. */
    @ParameterizedTest
    @CsvSource({
        "CREAM2, JobRegister, compute.create",
        "CREAM2, JobStatus, compute.read",
        "CREAM2, setLease, compute.create",
        "CREAM2, deleteLease, compute.modify",
        "CREAM2, JobPurge, compute.cancel",
        "DELEGATION, putProxy, compute.create",
        "DELEGATION, destroy, compute.cancel",
        "ARC, POST jobs new, compute.create",
        "ARC, POST jobs unknown, compute.read",
        "ARC, POST delegations new, compute.create",
        "ARC, PROPFIND, compute.read",
        "ARC, DELETE, compute.create",
        "FILES, HEAD, compute.read",
        "FILES, PUT, compute.create",
        "ADMIN, GET, compute.read",
        "ADMIN, DELETE, compute.modify",
        "MESSAGES, POST, compute.read",
        "EVENTS, GET, compute.read"
    })
    void aTokenWithoutTheScopeIsRefusedAndTheScopeIsNamed(Protocol protocol, String operation, String scope) {
        assertThatThrownBy(() -> RequiredScopes.check(token(), protocol, operation))
                .isInstanceOf(ServiceException.NotAuthorized.class)
                .hasMessageContaining(scope);
        assertThat(RequiredScopes.permits(token(), protocol, operation)).isFalse();
        RequiredScopes.check(token(Permission.ofScope(scope).orElseThrow()), protocol, operation);
        assertThat(RequiredScopes.permits(token(Permission.values()), protocol, operation))
                .isTrue();
    }

    @Test
    void oneOfSeveralScopesIsEnough() {
        RequiredScopes.check(token(Permission.CANCEL), Protocol.CREAM2, "deleteLease");
        RequiredScopes.check(token(Permission.MODIFY), Protocol.FILES, "PUT");
    }

    @Test
    void theDescriptionOfTheServiceNeedsNone() {
        RequiredScopes.check(token(), Protocol.CREAM2, "getServiceInfo");
        RequiredScopes.check(token(), Protocol.ARC, "GET info");
        RequiredScopes.check(token(), Protocol.DELEGATION, "getVersion");
    }

    @Test
    void anOperationWithoutARowIsPermittedToNobody() {
        Caller certificate = new Caller(
                new GridIdentity("CN=ann", List.of(), null, false, Instant.MAX, List.of()), "dteam001", true);
        assertThatThrownBy(() -> RequiredScopes.check(certificate, Protocol.CREAM2, "JobForget"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("JobForget of CREAM2");
    }
}
