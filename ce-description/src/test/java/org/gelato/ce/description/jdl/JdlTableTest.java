package org.gelato.ce.description.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.util.stream.Stream;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.DescriptionsPage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An attribute of the page's table is read: with a value of a type that no attribute has it is refused. */
class JdlTableTest {
    static Stream<String> rows() throws IOException {
        return DescriptionsPage.rows("JDL").stream();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void attributesOfThePageAreRead(String row) {
        String name = row.replace(" read", "");
        assertThat(AttributeNames.isKnown(name)).as(name).isTrue();
        String wrong = name + " = [ a = 1 ]";
        DescriptionException e = catchThrowableOfType(
                DescriptionException.class,
                () -> Jdl.parse("Executable = \"/bin/x\"; BatchSystem = \"b\"; QueueName = \"q\"; " + wrong));
        assertThat(e).as(name).isNotNull();
        assertThat(e.attribute()).isEqualTo(name);
    }
}
