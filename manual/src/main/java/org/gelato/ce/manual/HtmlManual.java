package org.gelato.ce.manual;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * The manual: a page of HTML for each of {@code docs} and for some of the root, the index of the search, and the files that pages link
 * to. The same sources give the same bytes.
 */
final class HtmlManual {
    /** Folder of the pages. */
    static final String PAGES = "docs/";

    /** Has the list of all pages in its sections, in the order of the manual. */
    static final String START = PAGES + "README.md";

    /** Pages of the root that pages link to. */
    private static final List<String> ROOT = List.of("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md");

    private static final String INDEX = "search-index.js";

    private final Path root;
    private final Map<String, Page> pages = new TreeMap<>();

    /**
     * Reads all pages.
     *
     * @param root of the sources
     */
    HtmlManual(Path root) throws IOException {
        this.root = root;
        List<String> sources = new ArrayList<>(ROOT);
        try (Stream<Path> found = Files.walk(root.resolve(PAGES))) {
            found.filter(path -> path.toString().endsWith(".md"))
                    .map(path -> root.relativize(path).toString())
                    .forEach(sources::add);
        }
        for (String source : sources) {
            if (Files.exists(root.resolve(source))) {
                pages.put(source, new Page(source, Files.readString(root.resolve(source))));
            }
        }
    }

    /**
     * Writes all, beside what is in the directory already.
     *
     * @throws IllegalArgumentException with a line for each link that leads nowhere
     */
    void write(Path directory) throws IOException {
        Links links = new Links(root, pages);
        PageTemplate html = new PageTemplate(links, parts(links));
        Map<String, String> texts = new TreeMap<>();
        for (Page page : pages.values()) {
            texts.put(Links.place(page.source()), html.of(page));
        }
        texts.put(INDEX, index());
        if (!links.broken().isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", links.broken()));
        }
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Path file = directory.resolve(text.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, text.getValue(), StandardCharsets.UTF_8);
        }
        for (String source : links.files()) {
            Path file = directory.resolve(Links.place(source));
            Files.createDirectories(file.getParent());
            Files.write(file, Files.readAllBytes(root.resolve(source)));
        }
        list(directory);
    }

    /** Names of all files, a line each: the server serves these and no others. */
    private static void list(Path directory) throws IOException {
        Path list = directory.resolve("files.txt");
        Files.deleteIfExists(list);
        List<String> names;
        try (Stream<Path> found = Files.walk(directory)) {
            names = found.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        }
        Files.write(list, names);
    }

    /** The pages by the sections of the first one, in which each is listed. */
    private Map<String, List<Page>> parts(Links links) {
        Page start = pages.get(START);
        Map<String, List<Page>> parts = new LinkedHashMap<>();
        List<Page> part = new ArrayList<>();
        for (Node node = start.document().getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading heading && heading.getLevel() > 1) {
                part = new ArrayList<>();
                parts.put(Page.text(node).replaceAll(":.*", ""), part);
            }
            List<Page> into = part;
            node.accept(new AbstractVisitor() {
                @Override
                public void visit(Link link) {
                    String place = links.of(start, link.getDestination());
                    pages.values().stream()
                            .filter(page -> Links.place(page.source()).equals(place))
                            .forEach(into::add);
                }
            });
        }
        return parts;
    }

    /** A script, not a document of its own kind: what is opened from a file system may load no other. */
    private String index() {
        StringBuilder script = new StringBuilder("window.manualIndex = [\n");
        for (Page page : pages.values()) {
            for (Page.Section section : page.sections()) {
                script.append('[')
                        .append(text(Links.place(page.source()) + "#" + section.id()))
                        .append(", ")
                        .append(text(page.title()))
                        .append(", ")
                        .append(text(section.title()))
                        .append(", ")
                        .append(text(section.text()))
                        .append("],\n");
            }
        }
        return script.append("];\n").toString();
    }

    /** A literal of JavaScript. */
    static String text(String value) {
        StringBuilder literal = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\' || c == '<' || c < ' ' || c == '\u2028' || c == '\u2029') {
                literal.append(String.format("\\u%04x", (int) c));
            } else {
                literal.append(c);
            }
        }
        return literal.append('"').toString();
    }

    /** Whether it is a comment, of which readers see nothing. */
    static boolean isComment(Node node) {
        return node instanceof HtmlBlock html && html.getLiteral().startsWith("<!--");
    }
}
