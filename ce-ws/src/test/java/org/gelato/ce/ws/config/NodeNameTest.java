package org.gelato.ce.ws.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeNameTest {
    private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9.-]*");

    @ParameterizedTest
    @CsvSource(textBlock = """
            ce.example.org  , ce                 , ce.example.org
            ce.example.org  , ce.example.org     , ce.example.org
            ce.example.org  , fe1.example.org    , fe1.example.org
            ce.example.org  , fe2                , fe2
            ce.example.org  , localhost          , ce.example.org
            ce.example.org  , localhost.localdomain, ce.example.org
            ce.example.org  , ''                 , ce.example.org
            ce.example.org  , _fe_               , ce.example.org
            """)
    void aMachineOfAServiceKeepsItsOwnName(String host, String machine, String node) {
        assertThat(NodeName.of(host, machine, FORM)).isEqualTo(node);
    }
}
