package org.gelato.ce.perf.report;

import java.util.Base64;
import java.util.List;

/** A page of HTML that needs nothing beside itself. For one thread. */
public final class Html {
    private static final String STYLE = "body{font:15px/1.45 system-ui,sans-serif;color:#1c1c1c;max-width:62rem;"
            + "margin:2rem auto;padding:0 1rem}h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}"
            + "table{border-collapse:collapse;margin:.6rem 0}th,td{border-bottom:1px solid #ccc;padding:.25rem .8rem .25rem 0;"
            + "text-align:left;vertical-align:top}td.n{text-align:right;font-variant-numeric:tabular-nums}"
            + "tr.bad td{background:#fbe3e0}img{max-width:100%;border:1px solid #ddd}figcaption{color:#555;font-size:.9rem}"
            + "figure{margin:1rem 0}";

    private final StringBuilder text = new StringBuilder();

    public Html(String title) {
        text.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width\"><title>")
                .append(escape(title))
                .append("</title><style>")
                .append(STYLE)
                .append("</style></head><body>\n<h1>")
                .append(escape(title))
                .append("</h1>\n");
    }

    /** Text as it may stand between tags and in attributes. */
    static String escape(String raw) {
        StringBuilder safe = new StringBuilder(raw.length());
        raw.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(c < ' ' && c != '\n' && c != '\t' ? 0xFFFD : c);
            }
        });
        return safe.toString();
    }

    public Html heading(String words) {
        text.append("<h2>").append(escape(words)).append("</h2>\n");
        return this;
    }

    public Html paragraph(String words) {
        text.append("<p>").append(escape(words)).append("</p>\n");
        return this;
    }

    public Html list(List<String> items) {
        text.append("<ul>");
        items.forEach(item -> text.append("<li>").append(escape(item)).append("</li>\n"));
        text.append("</ul>\n");
        return this;
    }

    /** A table's head; {@link #row} follows, then {@link #endTable}. */
    public Html table(String... heads) {
        text.append("<table><tr>");
        for (String head : heads) {
            text.append("<th>").append(escape(head)).append("</th>");
        }
        text.append("</tr>\n");
        return this;
    }

    /** @param isBad to be seen at once */
    public Html row(boolean isBad, String... cells) {
        text.append(isBad ? "<tr class=\"bad\">" : "<tr>");
        for (String cell : cells) {
            boolean isNumber = cell.matches("-?[0-9][0-9 .]*");
            text.append(isNumber ? "<td class=\"n\">" : "<td>")
                    .append(escape(cell))
                    .append("</td>");
        }
        text.append("</tr>\n");
        return this;
    }

    public Html endTable() {
        text.append("</table>\n");
        return this;
    }

    public Html figure(String title, byte[] png, String caption) {
        text.append("<figure><img alt=\"")
                .append(escape(title))
                .append("\" src=\"data:image/png;base64,")
                .append(Base64.getEncoder().encodeToString(png))
                .append("\"><figcaption>")
                .append(escape(caption))
                .append("</figcaption></figure>\n");
        return this;
    }

    public String page() {
        return text + "</body></html>\n";
    }
}
