package org.gelato.ce.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of the site's lists that would stand for something else than what was written: each is refused by its number. */
class MisreadLinesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/DC=org/CN=No Quotes dteam001",
                "/DC=org/CN=No Quotes At All dteam001",
                "/DC=org/CN=No\tQuotes dteam001",
                "CN=No Quotes,DC=org dteam001",
                "CN=No Quotes,DC=org",
                "CN=No, DC=org dteam001",
                "https://iam.example.org/,No Quotes dteam001",
                "https://iam.example.org/ group=/dteam dteam001",
                "/dteam/Role = pilot dteam001",
                "\"/DC=org/CN=Rob \"Bob\" Smith\" dteam001",
                "\"/DC=org/CN=No\"Quotes dteam001",
                "\"/DC=org/CN=Two\" one two",
                "\"/DC=org/CN=Two\" one,t w o",
                "\"/DC=org/CN=Two\" one,/CN=b",
                "\"/DC=org/CN=Comma\" one,",
                "\"/DC=org/*\" dteam001",
            })
    void aLineOfTheGridmapThatWouldMapSomebodyElseIsLeftOut(String line) {
        Gridmap map = Gridmap.parse("\"/DC=org/CN=Good\" dteam002\n" + line + "\n", account -> false, true);

        assertThat(map.complaints()).singleElement().asString().startsWith("line 2: ");
        assertThat(map.byDn()).hasSize(1);
        assertThat(map.rules()).isEmpty();
        assertThat(map.tokens()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"/DC=org/CN=With Quotes\" one",
                "\"/DC=org/CN=With Quotes\"\tone # a comment",
                "\"/DC=org/CN=With Quotes\" one,two",
                "\"/DC=org/CN=With Quotes\" one , .two",
                "\"CN=With Quotes,DC=org\" one",
            })
    void aLineThatMeansWhatItSaysIsRead(String line) {
        Gridmap map = Gridmap.parse("\uFEFF# a comment behind a byte order mark\r\n" + line, account -> false, true);

        assertThat(map.complaints()).isEmpty();
        assertThat(map.byDn().values()).extracting(MappingLine::target).containsExactly("one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/DC=org/CN=Bad Guy # stole a key",
                "/DC=org/CN=Bad Guy\t# stole a key",
                "CN=Bad Guy,DC=org # stole a key",
                "https://iam.example.org/,bad # stole a key",
                "\"/DC=org/CN=Bad Guy\" .dteam",
                "\"/DC=org/CN=Bad\"Guy",
                "/DC=org/*",
                "/dteam/Role=pilot",
            })
    void aLineOfAListThatWouldNameNobodyBreaksTheList(String line) {
        for (boolean refusing : List.of(true, false)) {
            assertThatThrownBy(() -> DnList.parse("# one\n" + line + "\n", refusing))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("line 2: ");
        }
    }

    @Test
    void namesWithNumberSignsAndCommentsBehindQuotesAreRead() {
        DnList list =
                DnList.parse("/DC=org/CN=Nr#7\n\"/DC=org/CN=A # B\"\n\"/DC=org/CN=Bad Guy\" # stole a key\n", false);

        assertThat(list.line("CN=Nr#7,DC=org")).isEqualTo(1);
        assertThat(list.line("CN=A \\# B,DC=org")).isEqualTo(2);
        assertThat(list.line("CN=Bad Guy,DC=org")).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/DC=org/CN=No Quotes dteam",
                "\"/DC=org/CN=No\"Quotes dteam",
                "\"/DC=org/CN=Two\" dteam atlas",
                "\"/DC=org/*\" dteam",
            })
    void aLineAboutAnotherAdministratorOfAVoBreaksTheList(String line) {
        assertThatThrownBy(() -> VoAdministrators.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("line 1: ");
    }
}
