package org.gelato.ce.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** Whatever a {@code pom.xml} names directly has its line in {@code docs/developer/dependencies.md}, and nothing else has one. */
class DependenciesPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Set<String> KINDS = Set.of("dependency", "plugin", "path", "artifactItem");
    private static final String OWN = "org.gelato.ce";

    private static List<Path> poms() throws IOException {
        List<Path> poms = new ArrayList<>(List.of(ROOT.resolve("pom.xml")));
        try (Stream<Path> modules = Files.list(ROOT)) {
            modules.map(module -> module.resolve("pom.xml"))
                    .filter(Files::isRegularFile)
                    .forEach(poms::add);
        }
        return poms;
    }

    private static String text(Element of, String name) {
        for (Node child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeName().equals(name)) {
                return child.getTextContent().strip();
            }
        }
        return "";
    }

    private static boolean managed(Node node) {
        for (Node at = node; at != null; at = at.getParentNode()) {
            if (at.getNodeName().equals("dependencyManagement")) {
                return true;
            }
        }
        return false;
    }

    private static List<Element> elements(Path pom) throws Exception {
        NodeList all = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getElementsByTagName("*");
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> (Element) all.item(i))
                .toList();
    }

    private static Set<String> named(Path pom) throws Exception {
        Set<String> named = new TreeSet<>();
        for (Element element : elements(pom)) {
            // Managed versions are not yet a dependency; what is one is named in a module.
            if (KINDS.contains(element.getNodeName()) && !managed(element)) {
                String group = text(element, "groupId");
                String artifact = text(element, "artifactId");
                if (!artifact.isEmpty() && !group.startsWith(OWN) && !group.contains("$")) {
                    named.add((group.isEmpty() ? "org.apache.maven.plugins" : group) + ":" + artifact);
                }
            }
        }
        return named;
    }

    @Test
    void thePageNamesWhatThePomsName() throws Exception {
        Set<String> expected = new TreeSet<>();
        List<Path> poms = poms();
        assertThat(poms).hasSizeGreaterThan(8);
        for (Path pom : poms) {
            expected.addAll(named(pom));
        }
        Set<String> page = new TreeSet<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/developer/dependencies.md"))) {
            if (line.startsWith("- `")) {
                page.add(line.substring(3, line.indexOf('`', 3)));
            }
        }
        assertThat(page).containsExactlyElementsOf(expected);
    }

    /** The versions of jqwik that a pom gives. */
    private static List<String> versionsOfJqwik(Path pom) throws Exception {
        List<String> versions = new ArrayList<>();
        for (Element element : elements(pom)) {
            if (element.getNodeName().equals("jqwik.version")) {
                versions.add(element.getTextContent().strip());
            } else if (text(element, "groupId").equals("net.jqwik")) {
                versions.add(text(element, "version"));
            }
        }
        versions.removeAll(List.of("", "${jqwik.version}"));
        return versions;
    }

    /**
     * From 1.10 on it prints a line into the log of each build that is addressed to programs that read the log, to direct them. What
     * is printed there is ours to say.
     */
    @Test
    void jqwikIsOlderThanTheOnesThatAddressReadersOfTheLog() throws Exception {
        List<String> versions = new ArrayList<>();
        for (Path pom : poms()) {
            versions.addAll(versionsOfJqwik(pom));
        }
        assertThat(versions)
                .as("versions of jqwik: stay below 1.10, see docs/developer/dependencies.md")
                .isNotEmpty()
                .allMatch(version -> version.matches("1\\.[0-9](\\.[0-9]+)?"));
    }
}
