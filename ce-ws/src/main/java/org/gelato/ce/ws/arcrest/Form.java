package org.gelato.ce.ws.arcrest;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.ws.web.XmlText;

/**
 * The forms of a response. In JSON all values are texts, and what may occur more than once is a list even when it occurs once, as
 * clients rely on both (docs/developer/protocol/arc-rest.md, traps 3 to 5). Stateless.
 */
enum Form {
    XML("application/xml") {
        @Override
        void write(Part part, StringBuilder out) {
            element(part, "", out);
        }

        @Override
        void begin(ListName list, StringBuilder out) {
            out.append('<').append(list.root()).append(">\n");
        }

        @Override
        void item(Part item, boolean first, StringBuilder out) {
            element(item, "  ", out);
        }

        @Override
        void end(ListName list, StringBuilder out) {
            out.append("</").append(list.root()).append(">\n");
        }
    },
    JSON("application/json") {
        @Override
        void write(Part part, StringBuilder out) {
            value(part, out);
        }

        @Override
        void begin(ListName list, StringBuilder out) {
            out.append("{\"").append(list.item()).append("\":[");
        }

        @Override
        void item(Part item, boolean first, StringBuilder out) {
            out.append(first ? "" : ",");
            value(item, out);
        }

        @Override
        void end(ListName list, StringBuilder out) {
            out.append("]}");
        }
    },
    HTML("text/html;charset=utf-8") {
        @Override
        void write(Part part, StringBuilder out) {
            out.append(head(part.name()));
            table(part.parts(), out);
            out.append(FOOT);
        }

        @Override
        void begin(ListName list, StringBuilder out) {
            out.append(head(list.root())).append("<table border=\"1\">");
        }

        @Override
        void item(Part item, boolean first, StringBuilder out) {
            row(item, out);
        }

        @Override
        void end(ListName list, StringBuilder out) {
            out.append("</table>").append(FOOT);
        }
    };

    /** Names of what may occur more than once. */
    private static final Set<String> LISTS = Set.of(
            "job",
            "delegation",
            "version",
            "file",
            "dir",
            "State",
            "Capability",
            "ComputingEndpoint",
            "ComputingShare",
            "MappingPolicy",
            "AccessPolicy",
            "Rule",
            "ExecutionEnvironment",
            "ApplicationEnvironment",
            "Benchmark",
            "ToStorageService",
            "Error",
            "OtherInfo",
            "OtherMessages",
            "ExecutionNode");

    private static final String FOOT = "</body></html>\n";

    private final String mediaType;

    Form(String mediaType) {
        this.mediaType = mediaType;
    }

    /**
     * A list that is written item by item.
     *
     * @param root of the XML document
     * @param item each one's name
     */
    record ListName(String root, String item) {}

    String mediaType() {
        return mediaType;
    }

    abstract void write(Part part, StringBuilder out);

    abstract void begin(ListName list, StringBuilder out);

    abstract void item(Part item, boolean first, StringBuilder out);

    abstract void end(ListName list, StringBuilder out);

    /** The form that a client's {@code Accept} prefers; HTML for one that names neither XML nor JSON, or for null. */
    static Form of(String accept) {
        Form best = HTML;
        double quality = 0;
        for (String range : (accept == null ? "" : accept).split(",", 20)) {
            String[] parts = range.split(";", 5);
            Form form = ofType(parts[0].strip().toLowerCase(Locale.ROOT));
            double q = quality(parts);
            if (form != null && q > quality) {
                best = form;
                quality = q;
            }
        }
        return best;
    }

    private static Form ofType(String type) {
        return switch (type) {
            case "text/xml", "application/xml" -> XML;
            case "application/json" -> JSON;
            case "text/html" -> HTML;
            default -> null;
        };
    }

    private static double quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.regionMatches(true, 0, "q=", 0, 2)) {
                try {
                    return Math.min(1, Double.parseDouble(parameter.substring(2)));
                } catch (NumberFormatException e) {
                    return 0;
                }
            }
        }
        return 1;
    }

    private static void element(Part part, String indent, StringBuilder out) {
        out.append(indent).append('<').append(part.name());
        part.attributes()
                .forEach((name, value) -> out.append(' ')
                        .append(name)
                        .append("=\"")
                        .append(XmlText.escaped(value))
                        .append('"'));
        if (part.text() != null) {
            out.append('>')
                    .append(XmlText.escaped(part.text()))
                    .append("</")
                    .append(part.name())
                    .append(">\n");
        } else if (part.parts().isEmpty()) {
            out.append("/>\n");
        } else {
            out.append(">\n");
            part.parts().forEach(p -> element(p, indent + "  ", out));
            out.append(indent).append("</").append(part.name()).append(">\n");
        }
    }

    private static void value(Part part, StringBuilder out) {
        if (part.text() != null) {
            quoted(part.text(), out);
            return;
        }
        Map<String, List<Part>> members = new LinkedHashMap<>();
        part.parts()
                .forEach(p -> members.computeIfAbsent(p.name(), n -> new ArrayList<>())
                        .add(p));
        out.append('{');
        boolean first = true;
        for (Map.Entry<String, List<Part>> member : members.entrySet()) {
            out.append(first ? "" : ",");
            first = false;
            quoted(member.getKey(), out);
            out.append(':');
            if (member.getValue().size() > 1 || LISTS.contains(member.getKey())) {
                list(member.getValue(), out);
            } else {
                value(member.getValue().get(0), out);
            }
        }
        out.append('}');
    }

    private static void list(List<Part> parts, StringBuilder out) {
        out.append('[');
        for (int i = 0; i < parts.size(); i++) {
            out.append(i == 0 ? "" : ",");
            value(parts.get(i), out);
        }
        out.append(']');
    }

    private static void quoted(String text, StringBuilder out) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(XmlText.clean(text), out);
        out.append('"');
    }

    private static void table(List<Part> parts, StringBuilder out) {
        out.append("<table border=\"1\">");
        parts.forEach(p -> row(p, out));
        out.append("</table>");
    }

    private static void row(Part part, StringBuilder out) {
        out.append("<tr><td>").append(XmlText.escaped(part.name())).append("</td><td>");
        if (part.text() == null) {
            table(part.parts(), out);
        } else {
            out.append(XmlText.escaped(part.text()));
        }
        out.append("</td></tr>");
    }

    private static String head(String title) {
        return "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + XmlText.escaped(title)
                + "</title></head><body>";
    }
}
