package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** The form that a client asks for, and what each form looks like. */
class FormTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        text/xml                                              | XML
        application/xml                                       | XML
        application/json                                      | JSON
        text/html                                             | HTML
        Application/JSON                                      | JSON
        application/json;charset=utf-8                        | JSON
        text/html, application/json;q=0.9                     | HTML
        text/html;q=0.5, application/json;q=0.9               | JSON
        application/json;q=0.1, text/xml;q=0.2, */*;q=0.9     | XML
        application/json , text/xml                           | JSON
        text/xml, application/json                            | XML
        text/xml;q=0, application/json;q=0.001                | JSON
        application/json;v=1;q=0.3, text/xml;v=1;q=0.4        | XML
        application/json;Q=0.1, text/xml;q=0.2                | XML
        application/json; q=0.1, text/xml;q=1.0               | XML
        image/png, text/plain, application/json               | JSON
        """)
    void thePreferredOneIsChosen(String accept, Form form) {
        assertThat(Form.of(accept)).isEqualTo(form);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                " ",
                ",",
                ",,,;;;,",
                "*/*",
                "application/*",
                "text/plain",
                "json",
                "xml",
                "text/xml;q=0",
                "application/json;q=0.0",
                "application/json;q=-1",
                "application/json;q=NaN",
                "application/json;q=",
                "application/json;q=much",
                "text/xml;q=0x",
                "application/json x",
                "\"application/json\"",
                "q=1"
            })
    void whatNamesNoKnownFormGetsAPageAsArexSendsIt(String accept) {
        assertThat(Form.of(accept)).isEqualTo(Form.HTML);
    }

    @Test
    void aVeryLongHeaderIsReadInBoundedWork() {
        assertThat(Form.of("text/plain,".repeat(5) + "application/json")).isEqualTo(Form.JSON);
        assertThat(Form.of("text/plain,".repeat(100_000) + "application/json")).isEqualTo(Form.HTML);
        assertThat(Form.of("application/json;" + "x;".repeat(100_000))).isEqualTo(Form.JSON);
    }

    @Test
    void aWeightIsANumberFrom0To1() {
        assertThat(Form.of("text/xml;q=1, application/json;q=7")).isEqualTo(Form.XML);
        assertThat(Form.of("text/xml;q=1, application/json;q=1e400")).isEqualTo(Form.XML);
    }

    @Test
    void eachFormHasItsMediaType() {
        assertThat(Form.XML.mediaType()).isEqualTo("application/xml");
        assertThat(Form.JSON.mediaType()).isEqualTo("application/json");
        assertThat(Form.HTML.mediaType()).isEqualTo("text/html;charset=utf-8");
    }

    private static String whole(Form form, Part part) {
        StringBuilder out = new StringBuilder();
        form.write(part, out);
        return out.toString();
    }

    @Test
    void jsonHasTextsAloneAndListsAlsoOfOne() throws Exception {
        Part job = new Part.Builder("job")
                .with("status-code", 201)
                .with("reason", "OK")
                .with("State", "arcrest:FINISHED")
                .build();
        JsonNode json = new ObjectMapper().readTree(whole(Form.JSON, Part.of("jobs", List.of(job))));
        assertThat(json.toString())
                .isEqualTo("{\"job\":[{\"status-code\":\"201\",\"reason\":\"OK\",\"State\":[\"arcrest:FINISHED\"]}]}");
    }

    @Test
    void jsonMakesAListOfWhatOccursTwiceUnderAnyName() {
        Part twice = Part.of("x", List.of(Part.of("a", "1"), Part.of("b", "2"), Part.of("a", "3")));
        assertThat(whole(Form.JSON, twice)).isEqualTo("{\"a\":[\"1\",\"3\"],\"b\":\"2\"}");
    }

    @Test
    void anEmptyPieceIsAnObjectInJsonAndAnEmptyElementInXml() {
        Part empty = Part.of("info_document", List.of());
        assertThat(whole(Form.JSON, empty)).isEqualTo("{}");
        assertThat(whole(Form.XML, empty)).isEqualTo("<info_document/>\n");
    }

    @Test
    void attributesAreInXmlAlone() {
        Part file = Part.of("list", List.of(Part.of("file", "a").withAttribute("size", "5")));
        assertThat(whole(Form.XML, file)).isEqualTo("<list>\n  <file size=\"5\">a</file>\n</list>\n");
        assertThat(whole(Form.JSON, file)).isEqualTo("{\"file\":[\"a\"]}");
    }

    @Test
    void aPageHoldsTextsAsTexts() {
        String page = whole(Form.HTML, Part.of("jobs", List.of(Part.of("reason", "<script>alert(1)</script>"))));
        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .contains("<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>")
                .doesNotContain("<script");
    }

    /** Names of files and reasons of failures are whatever a user or a program wrote. */
    @Property
    void anyTextIsReadBackFromJsonAndXml(@ForAll String text) throws Exception {
        Part part = Part.of("x", List.of(Part.of("reason", text).withAttribute("a", text)));
        String clean = org.gelato.ce.ws.web.XmlText.clean(text);
        assertThat(new ObjectMapper()
                        .readTree(whole(Form.JSON, part))
                        .path("reason")
                        .asText())
                .isEqualTo(clean);
        Element root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(whole(Form.XML, part))))
                .getDocumentElement();
        assertThat(root.getElementsByTagName("reason").item(0).getTextContent()).isEqualTo(clean);
    }
}
