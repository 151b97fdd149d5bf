package org.gelato.ce.ws.setup;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.setup.migration.OldConfiguration;

/**
 * The site as it is going to be, on which routes of an old one are tried.
 *
 * @param values all that it has beside routes
 */
record TrialSite(Path directory, String kind, Map<String, Object> values) implements OldConfiguration.NewSite {
    private static final Pattern KEY = Pattern.compile("gelato\\.routes(?: \\(line [0-9]+\\))?: ");

    @Override
    public Optional<String> refusal(List<Map<String, Object>> routes) {
        Map<String, Object> all = new LinkedHashMap<>(values);
        all.put("gelato.routes", routes);
        try {
            ConfigText.of(directory.resolve("gelato.conf"), all);
            return Optional.empty();
        } catch (ConfigurationException e) {
            // What else is wrong is said when the whole is written.
            return e.problems().stream()
                    .filter(problem -> KEY.matcher(problem).lookingAt())
                    .findFirst()
                    .map(problem -> Plain.text(KEY.matcher(problem).replaceFirst(""), 300));
        }
    }
}
