package org.gelato.ce.manual;

import java.util.List;
import java.util.Map;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.renderer.html.HtmlRenderer;

/** A page as HTML: valid under a policy that lets nothing in the page itself run or give style. */
final class PageTemplate {
    private final Links links;
    private final Map<String, List<Page>> parts;

    /** @param parts the pages by the manual's parts */
    PageTemplate(Links links, Map<String, List<Page>> parts) {
        this.links = links;
        this.parts = parts;
    }

    String of(Page page) {
        String top = "../".repeat((int)
                Links.place(page.source()).chars().filter(c -> c == '/').count());
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%1$s – Gelato CE</title>
                <link rel="stylesheet" href="%2$smanual.css">
                <script src="%2$ssearch.js" data-top="%2$s" defer></script>
                </head>
                <body>
                <a class="skip" href="#main">Skip to the page</a>
                <header>
                <a class="home" href="%2$sindex.html">Gelato CE: the manual</a>
                <form id="search" role="search" hidden>
                <label for="words">Search</label> <input id="words" type="search" autocomplete="off" maxlength="100">
                </form>
                <a class="to-pages" href="#pages">All pages</a>
                </header>
                <section id="results" aria-live="polite" aria-label="Results of the search" hidden></section>
                <main id="main" tabindex="-1">
                %3$s</main>
                <nav id="pages" aria-label="Pages">
                %4$s</nav>
                </body>
                </html>
                """.formatted(escaped(page.title()), top, body(page), navigation(page));
    }

    private String body(Page page) {
        page.document().accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                String destination = links.of(page, link.getDestination());
                String title = links.title(page, link.getDestination());
                if (title != null
                        && link.getFirstChild() instanceof Text words
                        && words == link.getLastChild()
                        && link.getDestination().endsWith(words.getLiteral())
                        && words.getLiteral().endsWith(".md")) {
                    // Names of sources say nothing to readers of the manual.
                    words.setLiteral(title);
                }
                visitChildren(link);
                if (destination == null) {
                    while (link.getFirstChild() != null) {
                        link.insertBefore(link.getFirstChild());
                    }
                    link.unlink();
                } else {
                    link.setDestination(destination);
                }
            }

            @Override
            public void visit(Image image) {
                image.setDestination(links.of(page, image.getDestination()));
            }

            @Override
            public void visit(HtmlBlock html) {
                if (HtmlManual.isComment(html)) {
                    html.unlink();
                }
            }
        });
        // Of links there are only those that Links lets pass.
        return HtmlRenderer.builder()
                .extensions(List.of(TablesExtension.create()))
                .escapeHtml(true)
                .attributeProviderFactory(context -> (node, tag, attributes) -> attributes(page, node, tag, attributes))
                .build()
                .render(page.document());
    }

    private static void attributes(Page page, Node node, String tag, Map<String, String> attributes) {
        String id = page.id(node);
        if (id != null) {
            attributes.put("id", id);
        }
        if (tag.equals("pre")) {
            // What is wider than the page is scrolled, also by keyboard.
            attributes.put("tabindex", "0");
        }
    }

    private String navigation(Page page) {
        StringBuilder html = new StringBuilder();
        for (Map.Entry<String, List<Page>> part : parts.entrySet()) {
            html.append("<h2>").append(escaped(part.getKey())).append("</h2>\n<ul>\n");
            for (Page other : part.getValue()) {
                html.append("<li><a href=\"")
                        .append(Links.relative(page.source(), other.source()))
                        .append('"')
                        .append(other == page ? " aria-current=\"page\">" : ">")
                        .append(escaped(other.title()))
                        .append("</a></li>\n");
            }
            html.append("</ul>\n");
        }
        return html.toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
