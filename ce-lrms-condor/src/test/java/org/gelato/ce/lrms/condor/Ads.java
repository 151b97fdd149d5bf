package org.gelato.ce.lrms.condor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lines as condor_q prints them with our arguments, made of attributes as HTCondor writes them. */
final class Ads {
    private static final Pattern ATTRIBUTE = Pattern.compile("([A-Za-z_]+) = (\"(?:[^\"\\\\]|\\\\.)*\"|\\[.*\\]|\\S+)");
    static final String ROUND = "0123456789ab";

    private Ads() {}

    /** @param attributes {@code Name = value} with blanks or line ends between them */
    static String line(String attributes) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Owner", "\"dteam001\"");
        all.put("ClusterId", "83");
        all.put("ProcId", "4");
        all.put("GelatoRound", "\"" + ROUND + "\"");
        all.put("GelatoTag", "\"cream_000000042\"");
        Matcher m = ATTRIBUTE.matcher(attributes);
        while (m.find()) {
            all.put(m.group(1), m.group(2));
        }
        List<String> names = JobAd.arguments();
        return names.subList(1, names.size()).stream()
                .map(name -> all.getOrDefault(name, "undefined"))
                .collect(Collectors.joining("\t"));
    }

    static JobAd of(String attributes) {
        return JobAd.of(line(attributes));
    }

    static String recorded(String name) {
        try (InputStream in = Ads.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
