package org.gelato.ce.ws.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.gelato.ce.ws.token.TokenIssuer;
import org.gelato.ce.ws.token.TokenProfile;
import org.gelato.ce.ws.token.TokenSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenKeysTest {
    @TempDir
    private Path directory;

    private TokenSettings load(String text) throws IOException {
        return CeConfig.load(Files.writeString(directory.resolve("gelato.conf"), text))
                .tokens();
    }

    @Test
    void withoutIssuersNoTokenIsAccepted() throws IOException {
        TokenSettings tokens = load("gelato { host = CE.example.org, port = 443 }");

        assertThat(tokens.enabled()).isFalse();
        assertThat(tokens.audiences()).containsOnly("https://ce.example.org", "https://ce.example.org:443");
        assertThat(tokens.anyAudience()).isFalse();
        assertThat(tokens.refresh()).isEqualTo(Duration.ofHours(6));
        assertThat(tokens.keepKeys()).isEqualTo(Duration.ofDays(2));
    }

    @Test
    void anIssuerNeedsItsNameAlone() throws IOException {
        TokenSettings tokens = load("""
                gelato {
                  home = run
                  tokens.audiences = ["ce.example.org:9619"]
                  tokens.issuers = [
                    { issuer = "https://iam.example.org/" }
                    { issuer = "https://aai.egi.eu/auth/realms/egi", profile = egi, keys = egi.json, vo = fusion
                      audiences = [client], algorithms = [RS512] }
                  ]
                }
                """);

        assertThat(tokens.enabled()).isTrue();
        assertThat(tokens.audiences()).contains("ce.example.org:9619");
        assertThat(tokens.issuers())
                .containsExactly(
                        new TokenIssuer(
                                "https://iam.example.org/",
                                null,
                                null,
                                TokenProfile.WLCG,
                                Set.of(),
                                Set.of("RS256", "ES256")),
                        new TokenIssuer(
                                "https://aai.egi.eu/auth/realms/egi",
                                directory.resolve("run/egi.json"),
                                "fusion",
                                TokenProfile.EGI,
                                Set.of("client"),
                                Set.of("RS512")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                        | an issuer is an https URL",
                "{ issuer = \"http://iam.example.org/\" }                   | an issuer is an https URL",
                "{ issuer = \"https://u@iam.example.org/\" }                | an issuer is an https URL",
                "{ issuer = \"https://iam.example.org/?a\" }                | an issuer is an https URL",
                "{ issuer = \"https://iam.example.org/a,b\" }               | an issuer is an https URL",
                "{ issuer = \"https://i/\", algorithms = [HS256] }          | algorithms are some of",
                "{ issuer = \"https://i/\", algorithms = [none] }           | algorithms are some of",
                "{ issuer = \"https://i/\", profile = x }                   | profile is one of wlcg",
                "{ issuer = \"https://i/\", audience = x }                  | there is no key audience",
                "{ issuer = \"https://i/\", vo = \"a b\" }                  | vo is not the name",
                "{ issuer = \"https://i/\" }, { issuer = \"https://i/\" }   | the issuer is there twice",
            })
    void aWrongIssuerIsNamedWithItsLine(String issuer, String problem) {
        ConfigurationException e = catchThrowableOfType(
                ConfigurationException.class, () -> load("\ngelato.tokens.issuers = [" + issuer + "]"));
        assertThat(e).as("refused").isNotNull();
        assertThat(e.problems())
                .singleElement()
                .asString()
                .startsWith("gelato.tokens.issuers (line 2): ")
                .contains(problem);
    }
}
