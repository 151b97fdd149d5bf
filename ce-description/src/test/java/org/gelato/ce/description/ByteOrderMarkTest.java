package org.gelato.ce.description;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.description.adl.Adl;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.description.xrsl.Xrsl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A description is read whatever blanks an editor put before it, of which one is a byte order mark. */
class ByteOrderMarkTest {
    private static final Languages ALL = new Languages(List.of(Jdl.LANGUAGE, Adl.LANGUAGE, Xrsl.LANGUAGE));
    private static final String ADL = "<?xml version=\"1.0\"?><ActivityDescription>"
            + "<Application><Executable><Path>/bin/true</Path></Executable></Application></ActivityDescription>";

    private static List<String> executables(String body) throws DescriptionException {
        DescriptionLanguage language = ALL.detect(body);
        ReadingBudget words = ReadingBudget.UNBOUNDED;
        List<String> executables = new ArrayList<>();
        for (String one : language.split(body, words)) {
            executables.add(language.read(one, words).executable().file());
        }
        return executables;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uFEFF", "\n", " \t\r\n", "\uFEFF\n", "\n\uFEFF ", "\uFEFF\uFEFF"})
    void isReadInEveryLanguage(String before) throws DescriptionException {
        String jdl = "Executable = \"/bin/true\"; BatchSystem = \"slurm\"; QueueName = \"long\";";
        assertThat(executables(before + "[ " + jdl + " ]")).containsExactly("/bin/true");
        assertThat(Jdl.parse(before + jdl).executable().file()).isEqualTo("/bin/true");
        assertThat(Jdl.parse(before + "# of an editor\n" + jdl).executable().file())
                .isEqualTo("/bin/true");
        assertThat(executables(before + ADL)).containsExactly("/bin/true");
        assertThat(executables(before + "&(executable=/bin/true)")).containsExactly("/bin/true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uFEFF", "\n", "\uFEFF  \n"})
    void isBeforeSeveralDescriptions(String before) throws DescriptionException {
        String one = ADL.substring(ADL.indexOf("?>") + 2);
        assertThat(executables(before + "<ActivityDescriptions xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\">" + one
                        + one.replace("true", "false") + "</ActivityDescriptions>"))
                .containsExactly("/bin/true", "/bin/false");
        assertThat(executables(before + "+(&(executable=/bin/true))(&(executable=/bin/false))"))
                .containsExactly("/bin/true", "/bin/false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\uFEFFb", "\uFEFFb"})
    void insideATextItIsACharacter(String text) throws DescriptionException {
        assertThat(Jdl.parse("Executable = \"/bin/true\"; BatchSystem = \"slurm\"; QueueName = \"long\";"
                                + " Arguments = \"" + text + "\";")
                        .executable()
                        .arguments())
                .isEqualTo(text);
    }
}
