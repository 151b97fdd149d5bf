package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** Lists of any length, written slice by slice. */
class ListResponseTest {
    private static final Form.ListName JOBS = new Form.ListName("jobs", "job");

    private static ListResponse<String> of(Form form, Iterator<List<String>> slices) {
        return new ListResponse<>(
                form,
                JOBS,
                slices,
                id -> id.isEmpty()
                        ? null
                        : new Part.Builder("job").with("id", id).build());
    }

    /** Each element is what one call wrote. */
    private static List<String> written(ListResponse<String> response) throws IOException {
        List<String> pieces = new ArrayList<>();
        boolean more = true;
        while (more) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            more = response.next(out);
            pieces.add(out.toString(StandardCharsets.UTF_8));
        }
        return pieces;
    }

    @Test
    void anEmptyListIsAListInEveryForm() throws IOException {
        assertThat(written(of(Form.JSON, Collections.emptyIterator()))).containsExactly("{\"job\":[]}");
        assertThat(written(of(Form.XML, Collections.emptyIterator()))).containsExactly("<jobs>\n</jobs>\n");
        assertThat(written(of(Form.HTML, Collections.emptyIterator())).get(0)).contains("<table border=\"1\"></table>");
    }

    @Test
    void slicesMakeOneDocument() throws IOException {
        List<List<String>> slices = List.of(List.of("a", "b"), List.of("c"), List.of());
        assertThat(written(of(Form.JSON, slices.iterator())))
                .containsExactly("{\"job\":[{\"id\":\"a\"},{\"id\":\"b\"}", ",{\"id\":\"c\"}", "]}");
        assertThat(String.join("", written(of(Form.XML, slices.iterator()))))
                .isEqualTo("<jobs>\n  <job>\n    <id>a</id>\n  </job>\n  <job>\n    <id>b</id>\n  </job>\n"
                        + "  <job>\n    <id>c</id>\n  </job>\n</jobs>\n");
    }

    @Test
    void whatIsLeftOutLeavesNoComma() throws IOException {
        List<List<String>> slices = List.of(List.of("", ""), List.of("", "a", ""), List.of("b"));
        assertThat(String.join("", written(of(Form.JSON, slices.iterator()))))
                .isEqualTo("{\"job\":[{\"id\":\"a\"},{\"id\":\"b\"}]}");
    }

    @Test
    void onlyAListOfOneSliceIsSentWhole() throws IOException {
        assertThat(of(Form.JSON, Collections.emptyIterator()).hasOnePart()).isTrue();
        assertThat(of(Form.JSON, List.of(List.of("a")).iterator()).hasOnePart()).isTrue();
        ListResponse<String> two =
                of(Form.JSON, List.of(List.of("a"), List.of("b")).iterator());
        assertThat(two.hasOnePart()).isFalse();
        two.next(new ByteArrayOutputStream());
        assertThat(two.hasOnePart()).isFalse();
    }

    @Test
    void whatFailsInTheFirstSliceFailsTheCallBeforeAnythingIsSent() {
        Iterator<List<String>> broken = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public List<String> next() {
                throw new NoSuchElementException("the database is away");
            }
        };
        assertThatThrownBy(() -> of(Form.JSON, broken)).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void noMoreThanOneSliceIsInMemory() throws IOException {
        List<Integer> read = new ArrayList<>();
        Iterator<List<String>> slices = new Iterator<>() {
            @Override
            public boolean hasNext() {
                return read.size() < 5;
            }

            @Override
            public List<String> next() {
                read.add(read.size());
                return List.of("a");
            }
        };
        ListResponse<String> response = of(Form.JSON, slices);
        for (int piece = 1; piece <= 5; piece++) {
            assertThat(response.next(new ByteArrayOutputStream())).isEqualTo(piece < 5);
            assertThat(read).hasSize(piece);
        }
    }
}
