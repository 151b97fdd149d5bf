package org.gelato.ce.ws.cream2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.gelato.ce.ws.web.RequiredScopes;
import org.junit.jupiter.api.Test;

class Cream2ScopesTest {
    @Test
    void everyOperationIsInTheTableOfScopes() {
        assertThat(RequiredScopes.operations(RequiredScopes.Protocol.CREAM2))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Cream2Operation.values())
                        .map(Cream2Operation::wsdlName)
                        .toList());
    }
}
