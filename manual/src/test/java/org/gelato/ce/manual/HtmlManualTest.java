package org.gelato.ce.manual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlManualTest {
    private static final Path BUILT = Path.of("target", "classes", "manual");

    private static final String DOCS = HtmlManual.PAGES;

    @TempDir
    private Path root;

    @BeforeEach
    void startPage() throws IOException {
        page(HtmlManual.START, "# Documentation\n\n## For users: `user/`\n- [a.md](user/a.md): the first\n");
        page(DOCS + "user/a.md", "# Page *A*\n\nWords.\n");
    }

    @Test
    void linksOfPagesLeadToTheirHtml() throws IOException {
        page("SECURITY.md", "# Security\n");
        page(
                DOCS + "user/b.md",
                "# B\n\n[up](../README.md) [a](a.md#page-a) [s](../../SECURITY.md) [f](x.txt) [w](https://example.org/)\n");
        page(DOCS + "user/x.txt", "a file");

        Path made = make();

        assertThat(made.resolve("user/b.html"))
                .content()
                .contains("<a href=\"../index.html\">up</a>", "<a href=\"a.html#page-a\">a</a>")
                .contains("<a href=\"../SECURITY.html\">s</a>", "<a href=\"x.txt\">f</a>")
                .contains("href=\"https://example.org/\"");
        assertThat(made.resolve("user/x.txt")).hasContent("a file");
    }

    @Test
    void linksThatLeadNowhereAreNamedWithTheirPage() throws IOException {
        page(DOCS + "user/b.md", "# B\n\n[1](no.md) [2](a.md#no) [3](../../no.xml) [4](#b)\n");
        assertThatThrownBy(this::make)
                .hasMessage(Stream.of("no.md", "a.md#no", "../../no.xml")
                        .map(link -> DOCS + "user/b.md links to " + link)
                        .collect(Collectors.joining("\n")));
    }

    @Test
    void sourcesThatAreNotOfTheManualAreNamedWithoutALink() throws IOException {
        page("pom.xml", "<project/>");
        page(DOCS + "user/b.md", "# B\n\nSee [the `pom`](../../pom.xml), all of it.\n");

        assertThat(make().resolve("user/b.html")).content().contains("<p>See the <code>pom</code>, all of it.</p>");
    }

    @Test
    void aPageIsOfTheManualsPartThatListsIt() throws IOException {
        assertThat(make().resolve("user/a.html"))
                .content()
                .contains("<title>Page A – Gelato CE</title>", "<h2>For users</h2>")
                .contains("<a href=\"a.html\" aria-current=\"page\">Page A</a>");
    }

    @Test
    void nothingInAPageRunsOrGivesStyle() throws IOException {
        page(
                DOCS + "user/b.md",
                "# B <script>x</script>\n\n<!-- begin -->\n\n<b onclick=x>y</b> [j](javascript:alert(1))\n\n    <i>\n");
        page(DOCS + "user/c.md", "# C\n");

        assertThatThrownBy(this::make).hasMessage(DOCS + "user/b.md links to javascript:alert(1)");
        page(DOCS + "user/b.md", "# B <script>x</script>\n\n<!-- begin -->\n\n<b onclick=x>y</b>\n\n    <i>\n");
        String html = Files.readString(make().resolve("user/b.html"));

        assertThat(html)
                .contains("&lt;script&gt;", "&lt;b onclick=x&gt;", "&lt;i&gt;")
                .doesNotContain("begin", "<b ", " style=");
        assertThat(html.split("<script")).hasSize(2);
    }

    @Test
    void theSearchKnowsEachSection() throws IOException {
        page(
                DOCS + "user/b.md",
                "# B\n\nfirst `gelato.host`\n\n## Two \"words\"\n\n| a | b |\n|---|---|\n| c | </script> |\n");

        assertThat(make().resolve("search-index.js"))
                .content()
                .contains("[\"user/b.html#b\", \"B\", \"B\", \"first gelato.host\"],")
                .contains(
                        "[\"user/b.html#two-words\", \"B\", \"Two \\u0022words\\u0022\", \"a b c \\u003c/script>\"],");
    }

    /** Of what the search takes in place of a word, at least one thing is on some page. */
    @Test
    void whatTheSearchTakesInPlaceOfAWordIsOnPages() throws IOException {
        String index = Files.readString(BUILT.resolve("search-index.js")).toLowerCase(Locale.ROOT);
        Matcher also = Pattern.compile("\n    \"([a-z ]+)\": \\[\"(.*)\"],")
                .matcher(Files.readString(BUILT.resolve("search.js")));
        int words = 0;
        for (; also.find(); words++) {
            assertThat(also.group(2).split("\", \""))
                    .as(also.group(1))
                    .anyMatch(other -> index.lines()
                            .anyMatch(section -> Stream.of(other.split(" ")).allMatch(section::contains)));
        }
        assertThat(words).isGreaterThan(5);
    }

    @Test
    void pagesAreCalledByTheirTitlesWhereTheSourcesHaveNamesOfFiles() throws IOException {
        assertThat(make().resolve("index.html"))
                .content()
                .contains("<a href=\"user/a.html\">Page A</a>: the first")
                .doesNotContain("a.md");
    }

    /** What the build made of the sources: each page, and all that belongs to it. */
    @Test
    void theManualOfTheSourcesIsComplete() throws IOException {
        assertThat(Files.readAllLines(BUILT.resolve("files.txt")))
                .contains("index.html", "admin/day-two.html", "developer/protocol/index.html", "SECURITY.html")
                .contains("manual.css", "search.js", "minisearch.js", "search-index.js", "admin/screens/all-well.png");
    }

    private Path make() throws IOException {
        Path made = root.resolve("made");
        new HtmlManual(root).write(made);
        return made;
    }

    private void page(String path, String text) throws IOException {
        Files.createDirectories(root.resolve(path).getParent());
        Files.writeString(root.resolve(path), text);
    }
}
