package org.gelato.ce.core.lrms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.route.Setting;
import org.gelato.ce.json.RouteSettings;

/** What holds for every adapter: it hands over each setting that a route can have, or the configuration with it is refused. */
public final class SettingContract {
    private SettingContract() {}

    /**
     * Tries each setting.
     *
     * @param given all that the batch system is given for a job
     * @param otherwise settings for which this is not the way by which jobs are handed over
     */
    public static void holds(Renderers<?> renderers, Function<Submission, ?> given, Set<Setting> otherwise) {
        for (Setting setting : Setting.values()) {
            if (otherwise.contains(setting)) {
                continue;
            }
            RouteSettings settings = setting(setting);
            if (given.apply(job(settings)).equals(given.apply(Submissions.plain()))) {
                assertThatThrownBy(() -> renderers.check("this", settings))
                        .as("%s is not handed over", setting)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(setting.key() + ": this has nothing for it");
            } else {
                assertThatCode(() -> renderers.check("this", settings)).doesNotThrowAnyException();
            }
            assertThat(setting.of(settings)).isNotNull();
        }
    }

    /** A job that gets them. */
    public static Submission job(RouteSettings settings) {
        return Records.with(Submissions.plain(), "settings", settings);
    }

    /** A job that gets a value. */
    public static Submission job(String key, Object value) {
        return job(new RouteSettings(List.of("r"), Map.of(key, value)));
    }

    private static RouteSettings setting(Setting setting) {
        return new RouteSettings(
                List.of("r"),
                switch (setting) {
                    case NICE -> Map.of(setting.key(), 100);
                    case ATTRIBUTES -> Map.of(setting.key() + ".tier", "a");
                    default -> Map.of(setting.key(), "a");
                });
    }
}
