package org.gelato.ce.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.gelato.ce.cli.http.TransportErrors;
import org.gelato.ce.cli.terminal.Hint;
import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.ws.web.HttpFaults;
import org.junit.jupiter.api.Test;

/** The two sides share no code: a code that the service gains has its advice in ce, or says there that it needs none. */
class FaultAdviceTest {
    @Test
    void eachCodeHasItsAdviceAndThereIsNoOther() {
        assertThat(Arrays.stream(Hint.values()).map(Enum::name))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(FaultCode.values()).map(Enum::name).toList());
    }

    @Test
    void bothSidesMeanTheSameHeader() {
        assertThat(TransportErrors.FAULT).isEqualTo(HttpFaults.HEADER);
    }
}
