package org.gelato.ce.ws.arcrest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.gelato.ce.ws.web.HardenedXml;
import org.gelato.ce.ws.web.Refusal;
import org.gelato.ce.ws.web.XmlLimits;
import org.gelato.ce.ws.web.XmlText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of ids as clients send them, and as nobody should. */
class IdListTest {
    private static final int MAX = 6000;
    private static final IdList IDS = new IdList(new HardenedXml(XmlLimits.defaults()), MAX);

    private static List<String> read(String body) {
        return IDS.read(body.getBytes(StandardCharsets.UTF_8), null);
    }

    private static void refused(String body, int status, String reason) {
        assertThatThrownBy(() -> read(body)).as(XmlText.shorten(body)).isInstanceOfSatisfying(Refusal.class, e -> {
            assertThat(e.status()).isEqualTo(status);
            assertThat(e.getMessage()).contains(reason).hasSizeLessThan(200);
        });
    }

    private static String json(List<String> ids) {
        return ids.stream()
                .map(id -> "{\"id\":\"" + id + "\",\"state\":\"RUNNING\",\"x\":{\"y\":[1,{\"id\":\"no\"}]}}")
                .collect(Collectors.joining(",", "{\"job\":[", "]}"));
    }

    private static String xml(List<String> ids) {
        return ids.stream()
                .map(id -> "<job><state>RUNNING</state><id>" + id + "</id></job>")
                .collect(Collectors.joining("", "<jobs>", "</jobs>"));
    }

    @Test
    void oneJobIsAnObjectOrAList() {
        assertThat(read("{\"job\":{\"id\":\"a\"}}")).containsExactly("a");
        assertThat(read("{\"job\":[{\"id\":\"a\"}]}")).containsExactly("a");
        assertThat(read("<jobs><job><id>a</id></job></jobs>")).containsExactly("a");
        assertThat(read("{\"job\":[]}")).isEmpty();
        assertThat(read("{}")).isEmpty();
        assertThat(read("<jobs/>")).isEmpty();
    }

    @Test
    void thousandsOfIdsThatComeBackWithAllThatWasAnsweredAreReadInTheirOrder() {
        List<String> ids = IntStream.range(0, 5000)
                .mapToObj(i -> String.format("CREAM%09d", i))
                .toList();
        assertThat(read(json(ids))).isEqualTo(ids);
        assertThat(read(xml(ids))).isEqualTo(ids);
    }

    @Test
    void theAnswerOfAListCanBeSentBackInBothForms() {
        List<String> ids = List.of("CREAM000000001", "CREAM000000002");
        for (Form form : List.of(Form.JSON, Form.XML)) {
            StringBuilder list = new StringBuilder();
            Part jobs = Part.of(
                    "jobs",
                    ids.stream()
                            .map(id -> new Part.Builder("job")
                                    .with("status-code", 200)
                                    .with("id", id)
                                    .with("state", "HELD")
                                    .build())
                            .toList());
            form.write(jobs, list);
            assertThat(read(list.toString())).as(form.name()).isEqualTo(ids);
        }
    }

    @Test
    void whatIsNotKnownIsIgnored() {
        assertThat(read("{\"a\":[[{}]],\"job\":[{\"z\":{\"id\":\"no\"},\"id\":\"a\",\"b\":null}],\"c\":{\"job\":1}}"))
                .containsExactly("a");
        assertThat(read("<?xml version=\"1.0\"?><!-- c --><jobs x=\"1\"><other><id>no</id></other>"
                        + "<job y=\"2\"><z><id>no</id></z><id q=\"3\"> a </id></job><?p i?></jobs>"))
                .containsExactly("no", "a");
        assertThat(read("<j:jobs xmlns:j=\"urn:x\"><j:job><j:id>a</j:id></j:job></j:jobs>"))
                .containsExactly("a");
    }

    @Test
    void anIdThatComesTwiceStaysTwice() {
        assertThat(read("{\"job\":[{\"id\":\"a\"},{\"id\":\"a\"}]}")).containsExactly("a", "a");
        assertThat(read("{\"job\":{\"id\":\"a\"},\"job\":{\"id\":\"a\"}}")).containsExactly("a", "a");
        assertThat(read("<jobs><job><id>a</id></job><job><id>a</id></job></jobs>"))
                .containsExactly("a", "a");
    }

    @Test
    void anIdIsTakenAsItWasSentWhateverIsInIt() {
        assertThat(read("{\"job\":[{\"id\":\"\"},{\"id\":\"../x\"},{\"id\":\"a\\u0000b\"},{\"id\":\"' or 1=1 --\"},"
                        + "{\"id\":\"\\ud83d\\ude00\"},{\"id\":\"https://ce/arex/rest/1.0/jobs/a\"},{\"id\":42}]}"))
                .containsExactly(
                        "", "../x", "a\u0000b", "' or 1=1 --", "\ud83d\ude00", "https://ce/arex/rest/1.0/jobs/a", "42");
        assertThat(read("<jobs><job><id>a&amp;b&#x2f;<![CDATA[<c>]]></id></job><job><id/></job></jobs>"))
                .containsExactly("a&b/<c>", "");
    }

    @Property
    void anyIdIsReadFromWhatWasWritten(@ForAll @StringLength(max = 200) String id) {
        for (Form form : List.of(Form.JSON, Form.XML)) {
            StringBuilder text = new StringBuilder();
            form.write(
                    Part.of(
                            "jobs",
                            List.of(new Part.Builder("job").with("id", id).build())),
                    text);
            assertThat(read(text.toString()))
                    .containsExactly(
                            form == Form.JSON
                                    ? XmlText.clean(id)
                                    : XmlText.clean(id).strip());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"job\":[{\"id\":\"abc\"},{\"id\":\"def\"}]}", "<jobs><job><id>abc</id></job></jobs>"})
    void whateverIsCutOffIsRefusedWhereverItIsCut(String whole) {
        for (int end = 0; end < whole.length(); end++) {
            refused(whole.substring(0, end), 400, "");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "x",
                "job=a",
                "{\"job\":7}",
                "{\"job\":null}",
                "{\"job\":\"a\"}",
                "{\"job\":[\"a\"]}",
                "{\"job\":[[]]}",
                "{\"job\":[{}]}",
                "{\"job\":[{\"id\":null}]}",
                "{\"job\":[{\"id\":{}}]}",
                "{\"job\":[{\"id\":[\"a\"]}]}",
                "{\"job\":[]}{\"job\":[]}",
                "{\"job\":[]}x",
                "{'job':[]}",
                "{\"job\":[{\"id\":\"a\"},]}",
                "{\"job\":[{\"id\":\"\\ud800\"}]}x",
                "<job><id>a</id></job>",
                "<jobs><job/></jobs>",
                "<jobs><job/><job><id>a</id></job></jobs>",
                "<jobs><job><id><b/></id></job></jobs>",
                "<jobs><job><id>a</id></jobs>",
                "<jobs/><jobs/>",
                "<jobs/>x",
                "<jobs><job><id>&x;</id></job></jobs>",
                "<x:jobs/>",
                "<",
                "<!",
                "<?xml version=\"1.0\" encoding=\"no-such\"?><jobs/>"
            })
    void whatIsNoListOfJobsIsRefused(String body) {
        refused(body, 400, "");
    }

    @Test
    void aBodyWithoutContentIsMissed() {
        for (String empty : List.of("", " ", "\r\n\t ", "\ufeff", "\ufeff \n")) {
            refused(empty, 400, "Missing payload");
        }
        assertThat(read("\ufeff {\"job\":[{\"id\":\"a\"}]}")).containsExactly("a");
    }

    @Test
    void anErrorHasItsPlace() {
        refused("{\n \"job\":[{\"id\":}]}", 400, "line 2, column");
        refused("<jobs>\n<job><id>a</x></job></jobs>", 400, "line 2, column");
    }

    @Test
    void entitiesAreNeitherExpandedNorLoaded() {
        refused("<!DOCTYPE jobs [<!ENTITY x \"y\">]><jobs><job><id>&x;</id></job></jobs>", 400, "XML");
        refused(
                "<!DOCTYPE jobs [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><jobs><job><id>&x;</id></job></jobs>",
                400,
                "XML");
    }

    @Test
    void deepNestingEndsEarly() {
        refused("{\"job\":[{\"x\":" + "[".repeat(100_000), 400, "JSON");
        refused("{\"x\":" + "{\"x\":".repeat(100_000), 400, "JSON");
        refused("<jobs>" + "<x>".repeat(100_000), 400, "XML");
    }

    @Test
    void attributesWithoutNumberEndEarly() {
        String many = IntStream.range(0, 1000).mapToObj(i -> " a" + i + "=\"\"").collect(Collectors.joining());
        refused("<jobs" + many + "/>", 400, "XML");
        refused("<jobs a=\"" + "x".repeat(100_000) + "\"/>", 400, "XML");
    }

    @Test
    void oneIdTooManyIsRefused() {
        List<String> ids = new ArrayList<>(java.util.Collections.nCopies(MAX, "a"));
        assertThat(read(json(ids))).hasSize(MAX);
        assertThat(read(xml(ids))).hasSize(MAX);
        ids.add("b");
        refused(json(ids), 413, "More than 6000 jobs");
        refused(xml(ids), 413, "More than 6000 jobs");
    }

    @Test
    void aLongIdIsRefusedWithoutBeingRepeated() {
        String longest = "x".repeat(256);
        assertThat(read(json(List.of(longest)))).containsExactly(longest);
        assertThat(read(xml(List.of(longest)))).containsExactly(longest);
        refused(json(List.of(longest + "x")), 400, "257 characters");
        refused(xml(List.of(longest + "x")), 400, "257 characters");
        refused("<" + "j".repeat(10_000) + "/>", 400, "expected jobs");
    }

    @Test
    void theTypeThatAClientNamesDoesNotMatterForXmlAndJson() {
        byte[] json = "{\"job\":{\"id\":\"a\"}}".getBytes(StandardCharsets.UTF_8);
        byte[] xml = "<jobs><job><id>a</id></job></jobs>".getBytes(StandardCharsets.UTF_8);
        for (String type :
                Arrays.asList(null, "", "application/json", "text/xml", "applicaton/rsl", "a", "/", ";;", "\u00e9")) {
            assertThat(IDS.read(json, type)).as(type).containsExactly("a");
            assertThat(IDS.read(xml, type)).as(type).containsExactly("a");
        }
    }

    @Test
    void aFormIsIgnoredAsArexIgnoresIt() {
        for (String type : List.of(
                "application/x-www-form-urlencoded",
                "Application/X-WWW-Form-Urlencoded",
                " application/x-www-form-urlencoded ; charset=utf-8")) {
            for (String body :
                    List.of("", "job=a&id=b", "{\"job\":{\"id\":\"a\"}}", "<jobs><job><id>a</id></job></jobs>")) {
                assertThat(IDS.read(body.getBytes(StandardCharsets.UTF_8), type))
                        .as(type + " " + body)
                        .isEmpty();
            }
        }
    }

    @Test
    void otherEncodingsThanUtf8AreReadOrRefusedAndNeverFail() {
        String list = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><jobs><job><id>\u00e9</id></job></jobs>";
        assertThat(IDS.read(list.getBytes(StandardCharsets.ISO_8859_1), null)).containsExactly("\u00e9");
        byte[] broken = "{\"job\":{\"id\":\"\u00e9\"}}".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> IDS.read(broken, null)).isInstanceOf(Refusal.class);
        byte[] wide = "{\"job\":{\"id\":\"a\"}}".getBytes(StandardCharsets.UTF_16);
        assertThatThrownBy(() -> IDS.read(wide, null)).isInstanceOf(Refusal.class);
    }

    @Property
    void bytesOfAnyKindAreReadOrRefused(@ForAll byte[] body, @ForAll boolean xml) {
        byte[] begun = new byte[body.length + 1];
        begun[0] = (byte) (xml ? '<' : '{');
        System.arraycopy(body, 0, begun, 1, body.length);
        for (byte[] sent : List.of(body, begun)) {
            try {
                assertThat(IDS.read(sent, null)).isNotNull();
            } catch (Refusal e) {
                assertThat(e.status()).isEqualTo(400);
            }
        }
    }
}
