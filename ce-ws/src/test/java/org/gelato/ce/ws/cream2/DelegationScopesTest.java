package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import org.gelato.ce.ws.web.RequiredScopes;
import org.junit.jupiter.api.Test;

class DelegationScopesTest {
    @Test
    void everyOperationIsInTheTableOfScopes() {
        assertThat(RequiredScopes.operations(RequiredScopes.Protocol.DELEGATION))
                .containsExactlyInAnyOrderElementsOf(DelegationWire.OPERATIONS);
    }
}
