package org.gelato.ce.manual;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Block;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/** One page: its tree, and what other pages and the search need to know of it. Immutable but for the tree. */
final class Page {
    private static final Parser PARSER =
            Parser.builder().extensions(List.of(TablesExtension.create())).build();

    private final String source;
    private final Node document;
    private final Map<Node, String> ids = new LinkedHashMap<>();
    private final List<Section> sections = new ArrayList<>();

    /**
     * What the search finds.
     *
     * @param id of the heading
     * @param title the heading's text
     * @param text all below it, up to the next heading
     */
    record Section(String id, String title, String text) {}

    /**
     * @param source path of the Markdown below the root of the sources
     * @throws IllegalArgumentException when the page does not begin with a heading, which is its title
     */
    Page(String source, String markdown) {
        this.source = source;
        document = PARSER.parse(markdown);
        if (!(document.getFirstChild() instanceof Heading)) {
            throw new IllegalArgumentException(source + " does not begin with a heading");
        }
        // As on the code's host, so that one link works in both places.
        IdGenerator generator = IdGenerator.builder().build();
        String title = null;
        StringBuilder text = new StringBuilder();
        String id = null;
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading) {
                if (title != null) {
                    sections.add(new Section(id, title, text.toString().strip()));
                }
                title = text(node);
                id = generator.generateId(title);
                ids.put(node, id);
                text.setLength(0);
            } else {
                text.append(text(node)).append(' ');
            }
        }
        sections.add(new Section(id, title, text.toString().strip()));
    }

    String source() {
        return source;
    }

    Node document() {
        return document;
    }

    String title() {
        return sections.get(0).title();
    }

    List<Section> sections() {
        return sections;
    }

    /** The id of a heading; null for other nodes. */
    String id(Node node) {
        return ids.get(node);
    }

    boolean hasId(String id) {
        return ids.containsValue(id);
    }

    /** The words of a node, on one line. */
    static String text(Node node) {
        StringBuilder words = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral());
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral());
            }

            @Override
            public void visit(FencedCodeBlock code) {
                words.append(code.getLiteral()).append(' ');
            }

            @Override
            public void visit(IndentedCodeBlock code) {
                words.append(code.getLiteral()).append(' ');
            }

            @Override
            public void visit(SoftLineBreak line) {
                words.append(' ');
            }

            @Override
            public void visit(HardLineBreak line) {
                words.append(' ');
            }

            @Override
            public void visit(HtmlInline html) {
                words.append(html.getLiteral());
            }

            @Override
            public void visit(CustomNode cell) {
                visitChildren(cell);
                words.append(' ');
            }

            @Override
            public void visit(HtmlBlock html) {
                // comments: marks for programs that write a part of the page
            }

            @Override
            protected void visitChildren(Node parent) {
                super.visitChildren(parent);
                if (parent instanceof Block) {
                    words.append(' ');
                }
            }
        });
        return words.toString().replaceAll("\\s+", " ").strip();
    }
}
