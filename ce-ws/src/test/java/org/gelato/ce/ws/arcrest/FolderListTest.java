package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A folder of any size is what a small one is, in parts of bounded size. */
class FolderListTest {
    private static List<TreeEntry> folder(int files) {
        List<TreeEntry> entries = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            entries.add(new TreeEntry("<&\"" + i, i % 3 == 0 ? TreeEntry.DIRECTORY : i));
        }
        return entries;
    }

    private static String streamed(Form form, List<TreeEntry> entries) throws IOException {
        FolderList list = new FolderList(form, entries);
        StringBuilder all = new StringBuilder();
        boolean more = true;
        while (more) {
            ByteArrayOutputStream part = new ByteArrayOutputStream();
            more = list.next(part);
            assertThat(part.size()).isLessThan(200_000);
            all.append(part.toString(StandardCharsets.UTF_8));
        }
        return all.toString();
    }

    private static String whole(Form form, List<TreeEntry> entries) {
        StringBuilder text = new StringBuilder();
        form.write(Part.of("list", entries.stream().map(FolderList::part).toList()), text);
        return text.toString();
    }

    @ParameterizedTest
    @EnumSource(
            value = Form.class,
            names = {"XML", "HTML"})
    void documentsAreTheSame(Form form) throws IOException {
        assertThat(streamed(form, folder(1200))).isEqualTo(whole(form, folder(1200)));
    }

    @ParameterizedTest
    @ValueSource(ints = {501, 1000, 1200})
    void jsonHasAListOfEachKind(int files) throws IOException {
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(streamed(Form.JSON, folder(files))))
                .isEqualTo(json.readTree(whole(Form.JSON, folder(files))));
    }

    @Test
    void jsonOfOneKindHasOneList() throws IOException {
        List<TreeEntry> files =
                folder(1200).stream().filter(entry -> !entry.isDirectory()).toList();
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(streamed(Form.JSON, files))).isEqualTo(json.readTree(whole(Form.JSON, files)));
    }
}
