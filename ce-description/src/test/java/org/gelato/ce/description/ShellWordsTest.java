package org.gelato.ce.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.gelato.ce.description.ShellWords.Part.Literal;
import org.gelato.ce.description.ShellWords.Part.Pattern;
import org.gelato.ce.description.ShellWords.Part.Variable;
import org.gelato.ce.description.ShellWords.Word;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordsTest {
    @Test
    void readsWords() throws Exception {
        assertThat(ShellWords.parse("Arguments", " 3600\t'a b'\"c $X\"*.txt ${Y}z '' "))
                .containsExactly(
                        new Word(List.of(new Pattern("3600"))),
                        new Word(List.of(
                                new Literal("a b"),
                                new Literal(""),
                                new Literal("c "),
                                new Variable("X", true),
                                new Pattern("*.txt"))),
                        new Word(List.of(new Variable("Y", false), new Pattern("z"))),
                        new Word(List.of(new Literal(""))));
    }

    @Test
    void aLineContinuationIsGoneBeforeNamesAreRead() throws Exception {
        assertThat(ShellWords.parse("Arguments", "$X\\\na \"${X\\\n}\" '\\\n'"))
                .containsExactly(
                        new Word(List.of(new Variable("Xa", false))),
                        new Word(List.of(new Literal(""), new Variable("X", true))),
                        new Word(List.of(new Literal("\\\n"))));
    }

    @Test
    void emptyTextHasNoWords() throws Exception {
        assertThat(ShellWords.parse("Arguments", "  \t")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'; & | < > ( ) ` $(x) \n'",
                "\"; & | < > ( ) \n\"",
                "\\; \\& \\$ \\`",
                "a$ \"$\" $",
                "{} {a} a,b",
                "a~ --x=~/y",
                "\"{a,b}\" {'a,b'} '~'",
                "a#b '#'",
                "$HOME/x ${X}y",
                "a\\\nb",
                "[a-z]? x=y",
            })
    void accepts(String text) throws Exception {
        assertThat(ShellWords.parse("Arguments", text)).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a; b          | control operator ';' outside quotes
            a & b         | control operator '&' outside quotes
            `a | b`       | control operator '|' outside quotes
            a < b         | control operator '<' outside quotes
            a > b         | control operator '>' outside quotes
            a 2>&1        | control operator '>' outside quotes
            (a)           | control operator '(' outside quotes
            a )           | control operator ')' outside quotes
            'a            | unbalanced quote '
            a "b          | unbalanced quote "
            "a\\"         | unbalanced quote "
            a \\          | a backslash at the end escapes nothing
            $(id)         | command or arithmetic substitution with $(
            "$(id)"       | command or arithmetic substitution with $(
            $((1+1))      | command or arithmetic substitution with $(
            $[1+1]        | command or arithmetic substitution with $[
            ${x:-y}       | an expansion other than $NAME and ${NAME}
            "${x:-y}"     | an expansion other than $NAME and ${NAME}
            ${#x}         | an expansion other than $NAME and ${NAME}
            ${}           | an expansion other than $NAME and ${NAME}
            ${x           | an expansion other than $NAME and ${NAME}
            $1            | the special parameter $1
            "$@"          | the special parameter $@
            $'a'          | the special quotes $'
            $"a"          | the special quotes $"
            x #y          | a comment
            ~             | tilde expansion
            ~/x           | tilde expansion
            A=~/x         | tilde expansion
            {a,b}         | brace expansion
            x{1..3}       | brace expansion
            {a,$X}        | brace expansion
            $__gelato_token | a variable beginning with __gelato_
            """)
    void refuses(String text, String error) {
        assertThatThrownBy(() -> ShellWords.parse("Arguments", text))
                .isExactlyInstanceOf(DescriptionException.class)
                .hasMessageStartingWith("Arguments: " + error)
                .hasMessageContaining("is not allowed (character ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a `id`", "\"`id`\"", "a\nb"})
    void refusesBackquotesAndLineBreaks(String text) {
        assertThatThrownBy(() -> ShellWords.parse("Arguments", text)).hasMessageStartingWith("Arguments: co");
    }

    @Test
    void tellsWhere() {
        assertThatThrownBy(() -> ShellWords.parse("Arguments", "a 'b' ; c"))
                .hasMessage("Arguments: control operator ';' outside quotes is not allowed (character 7)");
    }

    @Test
    void backslashEscapesAWholeCharacter() throws DescriptionException {
        assertThat(ShellWords.parse("Arguments", "\\\ud83d\ude00").get(0).parts())
                .containsExactly(new ShellWords.Part.Literal("\ud83d\ude00"));
    }
}
