package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriterHostsTest {
    private static List<String> urls(String url) {
        WriterHosts hosts = WriterHosts.of(url);
        List<String> urls = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            urls.add(hosts.get(i).name() + " " + hosts.get(i).url());
        }
        return urls;
    }

    @Test
    void oneServerKeepsItsUrlAsItIs() {
        assertThat(urls("jdbc:mysql://db.example.org/gelato?sslMode=REQUIRED"))
                .containsExactly("db.example.org jdbc:mysql://db.example.org/gelato?sslMode=REQUIRED");
    }

    @Test
    void eachOfSeveralGetsSchemaAndProperties() {
        assertThat(urls("jdbc:mysql://a,b:3307,[::1]:3308/gelato?sslMode=REQUIRED&x=/"))
                .containsExactly(
                        "a:3306 jdbc:mysql://a:3306/gelato?sslMode=REQUIRED&x=/",
                        "b:3307 jdbc:mysql://b:3307/gelato?sslMode=REQUIRED&x=/",
                        "[::1]:3308 jdbc:mysql://[::1]:3308/gelato?sslMode=REQUIRED&x=/");
    }

    @Test
    void aPasswordInAUrlIsInNoName() {
        assertThat(WriterHosts.of("jdbc:mysql://user:secret@db/gelato").get(0).name())
                .isEqualTo("db");
    }
}
