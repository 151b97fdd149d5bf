package org.gelato.ce.ws.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.junit.jupiter.api.Test;

/** Ten thousand names of 255 odd characters were 40 MB in memory for one small request. */
class FolderPropertiesTest {
    @Test
    void aLargeFolderIsOneDocumentInPartsOfBoundedSize() throws Exception {
        FolderProperties response = new FolderProperties(
                "https://h/session",
                new TreeEntry("", TreeEntry.DIRECTORY),
                IntStream.range(1, 10_000)
                        .mapToObj(i -> new TreeEntry("&".repeat(250) + i, i))
                        .toList());
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int parts = 0;
        while (next(response, all)) {
            parts++;
        }
        assertThat(parts).isEqualTo(19);
        assertThat(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new java.io.ByteArrayInputStream(all.toByteArray()))
                        .getElementsByTagName("d:href")
                        .getLength())
                .isEqualTo(10_000);
        assertThat(all.toString(StandardCharsets.UTF_8)).contains("<d:getcontentlength>9999</d:getcontentlength>");
    }

    @Test
    void aTimeIsShownUnlessHttpHasNoFormForIt() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        next(
                new FolderProperties(
                        "https://h/session",
                        new TreeEntry("", TreeEntry.DIRECTORY),
                        List.of(
                                new TreeEntry("a", 1, 1_700_000_000),
                                new TreeEntry("b", 1, -5),
                                new TreeEntry("c", 1, Long.MAX_VALUE),
                                new TreeEntry("d", 1))),
                all);
        assertThat(List.of(all.toString(StandardCharsets.UTF_8).split("<d:getlastmodified>", -1)))
                .hasSize(2)
                .last()
                .asString()
                .startsWith("Tue, 14 Nov 2023 22:13:20 GMT</d:getlastmodified>");
    }

    private static boolean next(FolderProperties response, ByteArrayOutputStream all) throws IOException {
        int before = all.size();
        boolean more = response.next(all);
        assertThat(all.size() - before).isLessThan(1_500_000);
        return more;
    }
}
