package org.gelato.ce.ws.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class XmlTextTest {
    @Test
    void keepsWhatXmlCanHold() {
        String text = "a\tb\nc \u00e9 \ud83d\ude00 <&>";
        assertThat(XmlText.clean(text)).isSameAs(text);
        assertThat(XmlText.clean(null)).isNull();
    }

    @Test
    void replacesWhatItCannot() {
        assertThat(XmlText.clean("a\u0000b\u001bc\ud800d\uffffe")).isEqualTo("a?b?c?d?e");
    }

    @Property
    void everyCleanTextCanBeParsed(@ForAll String text) throws Exception {
        String escaped =
                XmlText.clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader("<a>" + escaped + "</a>")));
    }
}
