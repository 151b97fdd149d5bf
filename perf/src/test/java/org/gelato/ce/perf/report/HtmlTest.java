package org.gelato.ce.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class HtmlTest {
    @Test
    void everythingThatMeansSomethingInHtmlIsEscaped() {
        assertThat(Html.escape("<b a=\"1\" c='2'>&\u0000"))
                .isEqualTo("&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\uFFFD");
    }

    @Property
    void noTextLeavesItsPlace(@ForAll String text) {
        assertThat(Html.escape(text)).doesNotContain("<", ">", "\"", "'");
    }

    @Test
    void textsOfOthersAreEscaped() {
        String page = new Html("<title>")
                .paragraph("<script>1</script>")
                .table("<i>")
                .row(true, "\"><img src=x>")
                .endTable()
                .page();
        assertThat(page).doesNotContain("<script", "<img", "<i>").contains("&lt;script&gt;");
    }
}
