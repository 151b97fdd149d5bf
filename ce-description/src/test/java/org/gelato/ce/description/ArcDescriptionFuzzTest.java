package org.gelato.ce.description;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.gelato.ce.description.adl.Adl;
import org.gelato.ce.description.xrsl.Xrsl;
import org.junit.jupiter.api.Test;

/** Whatever comes in as ADL or xRSL, either a request or a {@link DescriptionException} comes out. */
class ArcDescriptionFuzzTest {
    private static final String ADL = """
            <ActivityDescription xmlns="http://www.eu-emi.eu/es/2010/12/adl"><Application><Executable><Path>run</Path>
            <Argument>a 'b</Argument></Executable><Output>o</Output><Environment><Name>A</Name><Value>1</Value></Environment>
            </Application><Resources><WallTime>60</WallTime><SlotRequirement><NumberOfSlots>2</NumberOfSlots></SlotRequirement>
            </Resources><DataStaging><InputFile><Name>run</Name></InputFile></DataStaging></ActivityDescription>""";
    private static final String XRSL = "&(executable=run)(arguments=\"a \"\"b\" 'c')(inputfiles=(run \"\"))(stdout=o)"
            + "(rsl_substitution=(V x))(jobname=$(V)#y)(environment=(A 1))(walltime=\"1 hour\")(* c *)(count=2)";

    private static void survives(String text) {
        for (DescriptionLanguage language : List.of(Adl.LANGUAGE, Xrsl.LANGUAGE)) {
            try {
                for (String piece : language.split(text, ReadingBudget.UNBOUNDED)) {
                    assertThat(language.read(piece, ReadingBudget.UNBOUNDED)).isNotNull();
                }
            } catch (DescriptionException e) {
                assertThat(e.getMessage()).isNotBlank().hasSizeLessThan(1500);
            }
        }
    }

    @Property
    void anyText(@ForAll @StringLength(max = 300) String text) {
        survives(text);
        survives("&" + text);
        survives("<ActivityDescription>" + text);
    }

    @Property
    void mutations(
            @ForAll boolean adl,
            @ForAll @IntRange(max = 700) int from,
            @ForAll @IntRange(max = 40) int length,
            @ForAll("words") List<String> words) {
        String good = adl ? ADL : XRSL;
        int start = Math.min(from, good.length());
        int end = Math.min(start + length, good.length());
        String damaged = good.substring(0, start) + String.join("", words) + good.substring(end);
        survives(damaged);
        survives(
                adl
                        ? "<ActivityDescriptions>" + damaged + "</ActivityDescriptions>"
                        : "+(" + damaged + ")(" + good + ")");
    }

    @Test
    void whatIsCutOffIsRefusedWhereverItIsCut() {
        String xrsl = "&(executable=/bin/true)(arguments=\"a\" 'b')(queue=long)";
        for (String whole : List.of(
                ADL,
                "<ActivityDescriptions>" + ADL + ADL + "</ActivityDescriptions>",
                xrsl,
                "+(" + xrsl + ")(" + xrsl + ")")) {
            DescriptionLanguage language = whole.startsWith("<") ? Adl.LANGUAGE : Xrsl.LANGUAGE;
            assertThat(readsAll(language, whole)).as(whole).isTrue();
            for (int end = 1; end < whole.length(); end++) {
                String cut = whole.substring(0, end);
                // A description may end with any relation, and a list with any description.
                assertThat(readsAll(language, cut))
                        .as(cut)
                        .isEqualTo(cut.startsWith("+") ? cut.endsWith("))") : cut.startsWith("&") && cut.endsWith(")"));
            }
        }
    }

    private static boolean readsAll(DescriptionLanguage language, String text) {
        try {
            for (String piece : language.split(text, ReadingBudget.UNBOUNDED)) {
                language.read(piece, ReadingBudget.UNBOUNDED);
            }
            return true;
        } catch (DescriptionException e) {
            return false;
        }
    }

    /** What an argument says reaches the words of the shell as it is. */
    @Property
    void argumentsAreKept(@ForAll @StringLength(max = 60) String text) throws Exception {
        String argument = text.codePoints()
                .filter(c -> !Character.isISOControl(c) && !(c >= 0xD800 && c <= 0xDFFF) && c < 0xFFFE)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        String quoted = "\"" + argument.replace("\"", "\"\"") + "\"";
        JobRequest xrsl = Xrsl.LANGUAGE.read("&(executable=/bin/a)(arguments=" + quoted + ")", ReadingBudget.UNBOUNDED);
        JobRequest adl = Adl.LANGUAGE.read(
                "<ActivityDescription><Application><Executable><Path>/bin/a</Path><Argument>"
                        + argument.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                        + "</Argument></Executable></Application></ActivityDescription>",
                ReadingBudget.UNBOUNDED);
        assertThat(adl.executable()).isEqualTo(xrsl.executable());
        StringBuilder word = new StringBuilder();
        for (ShellWords.Word one : ShellWords.parse("x", xrsl.executable().arguments())) {
            one.parts().forEach(part -> word.append(((ShellWords.Part.Literal) part).text()));
        }
        assertThat(word).hasToString(argument);
    }

    @Provide
    Arbitrary<List<String>> words() {
        return Arbitraries.of(
                        "<",
                        ">",
                        "</",
                        "/>",
                        "<a>",
                        "</a>",
                        "<!--",
                        "-->",
                        "<![CDATA[",
                        "]]>",
                        "&",
                        "&amp;",
                        "&x;",
                        "<?",
                        "?>",
                        "<!DOCTYPE a [",
                        "(",
                        ")",
                        "+",
                        "|",
                        "=",
                        "!=",
                        ">=",
                        "\"",
                        "'",
                        "^",
                        "#",
                        "$",
                        "$(V)",
                        "(*",
                        "*)",
                        " ",
                        "\n",
                        "\0",
                        "\u00e9",
                        "\ud83d\ude00",
                        "\ud800",
                        "xmlns=\"u\"",
                        "a:",
                        "executable",
                        "9".repeat(30))
                .list()
                .ofMaxSize(10);
    }
}
