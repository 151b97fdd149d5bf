package org.gelato.ce.cli.description;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.JobNaming;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.description.Outline;

/** Puts the name and labels of the command line into a description; every line stays where it is, and values are quoted. */
public final class NamedDescription {
    private NamedDescription() {}

    /**
     * The description with a name and labels.
     *
     * @param label how messages call it
     * @throws CliException where its language has no place for them, or it has its own
     */
    public static String of(String label, Language language, String text, JobNaming naming) {
        if (!naming.isGiven()) {
            return text;
        }
        return switch (language) {
            case JDL -> jdl(label, text, naming);
            case ADL -> adl(label, text, naming);
            case XRSL -> xrsl(label, text, naming);
        };
    }

    /** The same for a point of a scan, whose values are labels. */
    public static String of(String label, Language language, String text, JobNaming given, Point point) {
        if (language == Language.XRSL && !point.values().isEmpty()) {
            throw new CliException(
                    label
                            + ": a scan gives each job its values as labels, which xRSL does not have: write the description in JDL");
        }
        boolean jdl = language == Language.JDL && !point.values().isEmpty();
        try {
            return of(
                    label,
                    language,
                    text,
                    point.naming(given, jdl ? JdlText.of(text).strings("Labels") : List.of()));
        } catch (CliException e) {
            throw e.getMessage().startsWith(label) ? e : new CliException(label + ": " + e.getMessage(), e);
        }
    }

    private static String jdl(String label, String text, JobNaming naming) {
        Map<String, String> values = new LinkedHashMap<>();
        if (naming.name() != null) {
            values.put("JobName", quoted(naming.name()));
        }
        if (!naming.labels().isEmpty()) {
            values.put(
                    "Labels",
                    naming.labels().stream().map(NamedDescription::quoted).collect(Collectors.joining(", ", "{", "}")));
        }
        try {
            return JdlText.of(text).withValues(values).toString();
        } catch (CliException e) {
            throw new CliException(label + ": " + e.getMessage(), e);
        }
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\\\"") + '"';
    }

    private static String adl(String label, String text, JobNaming naming) {
        Outline outline = SessionDescriptions.outline(label, Language.ADL, text);
        if (outline.names().contains("ActivityIdentification")) {
            throw new CliException(
                    label + ": names its job itself, in ActivityIdentification: leave out --name and --label, or"
                            + " that element");
        }
        if (outline.begin() < 0) {
            throw new CliException(label + ": --name and --label want one ActivityDescription");
        }
        String prefix = outline.prefix();
        StringBuilder named = new StringBuilder("<" + prefix + "ActivityIdentification>");
        if (naming.name() != null) {
            element(named, prefix + "Name", naming.name());
        }
        naming.labels().forEach(value -> element(named, prefix + "Annotation", value));
        named.append("</").append(prefix).append("ActivityIdentification>");
        return inserted(text, outline, named.toString());
    }

    private static void element(StringBuilder xml, String name, String text) {
        xml.append('<').append(name).append('>');
        xml.append(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
        xml.append("</").append(name).append('>');
    }

    private static String xrsl(String label, String text, JobNaming naming) {
        if (!naming.labels().isEmpty()) {
            throw new CliException(label + ": xRSL has no place for labels; --name goes into jobname");
        }
        Outline outline = SessionDescriptions.outline(label, Language.XRSL, text);
        if (outline.begin() < 0 || outline.names().contains("jobname")) {
            throw new CliException(
                    label + ": --name wants a description that begins with '&' and has no jobname of its own");
        }
        return inserted(text, outline, "(jobname=\"" + naming.name().replace("\"", "\"\"") + "\")");
    }

    private static String inserted(String text, Outline outline, String more) {
        return text.substring(0, outline.begin()) + more + text.substring(outline.begin());
    }
}
