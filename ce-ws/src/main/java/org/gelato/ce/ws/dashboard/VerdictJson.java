package org.gelato.ce.ws.dashboard;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A verdict and its checks as the page gets them. */
public final class VerdictJson {
    private VerdictJson() {}

    /** With the level of the worst problem, {@code ok} where there is none. */
    public static Map<String, Object> of(Verdict verdict) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(
                "level",
                verdict.problems().isEmpty()
                        ? "ok"
                        : text(verdict.problems().get(0).level()));
        json.put("calm", verdict.calm());
        json.put("problems", verdict.problems().stream().map(VerdictJson::of).toList());
        return json;
    }

    private static String text(Verdict.Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Object> of(Verdict.Problem problem) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("level", text(problem.level()));
        json.put("check", problem.check());
        json.put("title", problem.title());
        json.put("since", PageJson.time(problem.since()));
        json.put("text", problem.text());
        json.put("commands", problem.commands());
        json.put("said", problem.said());
        return json;
    }

    /** A check. */
    public static Map<String, Object> check(Situation.Check check) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", check.name());
        json.put("ok", check.ok());
        json.put("degraded", check.degraded());
        json.put("detail", Foreign.text(check.detail()));
        json.put("since", PageJson.time(check.since()));
        return json;
    }
}
