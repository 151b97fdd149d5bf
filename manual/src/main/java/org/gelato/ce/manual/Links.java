package org.gelato.ce.manual;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Where the links of pages lead in the manual, and which lead nowhere. Not thread-safe. */
final class Links {
    private static final Pattern ELSEWHERE = Pattern.compile("(https?|mailto):.*");
    private static final String START = "README.md";

    private final Path root;
    private final Map<String, Page> pages;
    private final Set<String> files = new TreeSet<>();
    private final List<String> broken = new ArrayList<>();

    /** @param pages by their sources */
    Links(Path root, Map<String, Page> pages) {
        this.root = root;
        this.pages = pages;
    }

    /** What pages link to beside pages, by its path below the root of the sources; to be copied. */
    Set<String> files() {
        return files;
    }

    /** A line for each link that leads nowhere. */
    List<String> broken() {
        return broken;
    }

    /** The link of a page, as its HTML has it; null for one to a file of the sources that is no part of the manual. */
    String of(Page page, String link) {
        if (ELSEWHERE.matcher(link).matches()) {
            return link;
        }
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        String id = hash < 0 ? "" : link.substring(hash + 1);
        String source = path.isEmpty() ? page.source() : resolve(page.source(), path);
        if (Files.isDirectory(root.resolve(source))) {
            source = source + "/" + START;
        }
        Page target = pages.get(source);
        if (target != null && (id.isEmpty() || target.hasId(id))) {
            return relative(page.source(), source) + (id.isEmpty() ? "" : "#" + id);
        }
        if (target == null && id.isEmpty() && Files.isRegularFile(root.resolve(source))) {
            if (!source.startsWith(HtmlManual.PAGES)) {
                return null;
            }
            files.add(source);
            return relative(page.source(), source);
        }
        broken.add(page.source() + " links to " + link);
        return link;
    }

    /** The title of the page to which a link of a page leads; null where that is no page of the manual. */
    String title(Page page, String link) {
        if (ELSEWHERE.matcher(link).matches() || link.startsWith("#")) {
            return null;
        }
        String source = resolve(page.source(), link.replaceAll("#.*", ""));
        Page target = pages.get(source);
        target = target == null ? pages.get(source + "/" + START) : target;
        return target == null ? null : target.title();
    }

    /** The link from the page of one source to another source's place in the manual. */
    static String relative(String from, String to) {
        Path parent = Path.of(place(from)).getParent();
        return parent == null
                ? place(to)
                : parent.relativize(Path.of(place(to))).toString();
    }

    /** Where a source is in the manual: its folder is the manual's, and pages of the sources' root are beside the first page. */
    static String place(String source) {
        String path = source.startsWith(HtmlManual.PAGES) ? source.substring(HtmlManual.PAGES.length()) : source;
        if (path.endsWith(START)) {
            path = path.substring(0, path.length() - START.length()) + "index.md";
        }
        return path.endsWith(".md") ? path.substring(0, path.length() - 2) + "html" : path;
    }

    private static String resolve(String from, String path) {
        return Path.of(from).resolveSibling(path).normalize().toString();
    }
}
