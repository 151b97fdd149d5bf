package org.gelato.ce.packaging;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Completion of {@code ce} for three shells, from picocli's model of its commands. Where ids of jobs are wanted, the last ones of the file
 * {@code jobs} of the user's cache are offered, in which commands note what they submit.
 */
final class ShellCompletion {
    private static final String FILE = "${XDG_CACHE_HOME:-$HOME/.cache}/gelato/jobs";
    private static final String JOB = "JOB";
    private static final int LONGEST = 80;

    private ShellCompletion() {}

    static String bash(CommandLine ce) {
        // The script of picocli knows no words that come into being later.
        return AutoComplete.bash("ce", ce) + """

                # Ids of jobs, whose colons divide words for bash alone.
                _ce_with_jobs() {
                  local current=${COMP_LINE:0:COMP_POINT} words id file="%s"
                  read -ra words <<<"$current"
                  current=${current##* }
                  if [[ $current != -* ]] && [[ " %s " == *" ${words[1]:-} "* ]] && (( COMP_CWORD > 1 )) && [[ -r $file ]]; then
                    COMPREPLY=()
                    while IFS= read -r id; do
                      [[ $id == "$current"* ]] || continue
                      if [[ $COMP_WORDBREAKS == *:* && $current == *:* ]]; then
                        id=${id#"${current%%:*}:"}
                      fi
                      COMPREPLY+=("$id")
                    done < <(LC_ALL=C grep -E '^https://[A-Za-z0-9_.:/-]+$' "$file" | tail -n 50)
                    (( ${#COMPREPLY[@]} > 0 )) && return
                  fi
                  _complete_ce "$@"
                }
                complete -F _ce_with_jobs -o default ce ce.sh ce.bash
                """.formatted(FILE, String.join(" ", ofJobs(ce)));
    }

    /** The commands that take ids of jobs. */
    static Set<String> ofJobs(CommandLine ce) {
        Set<String> names = new LinkedHashSet<>();
        ce.getSubcommands().forEach((name, command) -> {
            if (takesJobs(command.getCommandSpec())) {
                names.add(name);
            }
        });
        return names;
    }

    private static boolean takesJobs(CommandSpec command) {
        return command.positionalParameters().stream()
                .anyMatch(parameter -> parameter.paramLabel().equals(JOB));
    }

    static String zsh(CommandLine ce) {
        StringBuilder script = new StringBuilder("""
                #compdef ce
                __ce_ids() {
                  setopt localoptions extendedglob
                  local file="%s"
                  local -a ids
                  [[ -r $file ]] && ids=(${(M)${(f)"$(<$file)"}:#https://[A-Za-z0-9_.:/-]##})
                  (( $#ids > 50 )) && ids=(${ids[-50,-1]})
                  (( $#ids )) && compadd -a ids
                }
                """.formatted(FILE));
        functions(script, "_ce", ce);
        return script.append("_ce \"$@\"\n").toString();
    }

    private static void functions(StringBuilder script, String function, CommandLine command) {
        Map<String, CommandLine> below = named(command);
        below.forEach((name, sub) -> functions(script, function + "_" + name, sub));
        script.append(function).append("() {\n");
        script.append("  local context state state_descr line\n  typeset -A opt_args\n  _arguments -C \\\n");
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (!option.hidden()) {
                script.append("    ").append(zsh(option)).append(" \\\n");
            }
        }
        if (below.isEmpty()) {
            boolean jobs = takesJobs(command.getCommandSpec());
            script.append("    '*:argument:")
                    .append(jobs ? "__ce_ids" : "_files")
                    .append("'\n}\n");
            return;
        }
        script.append("    '1:command:->command' '*::argument:->argument'\n  case $state in\n    command)\n");
        script.append("      local -a commands=(\n");
        below.forEach((name, sub) -> script.append("        ")
                .append(quoted(name + ":" + description(sub.getCommandSpec())))
                .append('\n'));
        script.append("      )\n      _describe command commands ;;\n    argument)\n      case $words[1] in\n");
        below.keySet()
                .forEach(name -> script.append("        ")
                        .append(name)
                        .append(") ")
                        .append(function)
                        .append("_")
                        .append(name)
                        .append(" ;;\n"));
        script.append("      esac ;;\n  esac\n}\n");
    }

    private static String zsh(OptionSpec option) {
        String text = "[" + plain(option.description()).replaceAll("[\\[\\]:]", " ") + "]"
                + (option.arity().max() > 0
                        ? ":"
                                + option.paramLabel()
                                        .replaceAll("[^A-Za-z]+", " ")
                                        .strip() + ":_files"
                        : "");
        List<String> names = List.of(option.names());
        String repeated = option.isMultiValue() ? "*" : names.size() > 1 ? "(" + String.join(" ", names) + ")" : "";
        return names.size() > 1
                ? quoted(repeated) + "{" + String.join(",", names) + "}" + quoted(text)
                : quoted(repeated + names.get(0) + text);
    }

    static String fish(CommandLine ce) {
        StringBuilder script = new StringBuilder("""
                function __ce_jobs
                    set -l cache $HOME/.cache
                    set -q XDG_CACHE_HOME; and set cache $XDG_CACHE_HOME
                    test -r $cache/gelato/jobs; and string match -r '^https://[A-Za-z0-9_.:/-]+$' <$cache/gelato/jobs | tail -n 50
                end
                """);
        fish(script, "__fish_use_subcommand", ce);
        named(ce).forEach((name, command) -> {
            String seen = "__fish_seen_subcommand_from " + name;
            options(script, seen, command);
            named(command).forEach((sub, below) -> {
                String names = String.join(" ", named(command).keySet());
                command(script, seen + "; and not __fish_seen_subcommand_from " + names, sub, below);
                options(script, seen + "; and __fish_seen_subcommand_from " + sub, below);
            });
            if (takesJobs(command.getCommandSpec())) {
                script.append("complete -c ce -f -n ").append(quoted(seen)).append(" -a '(__ce_jobs)'\n");
            }
        });
        return script.toString();
    }

    private static void fish(StringBuilder script, String condition, CommandLine ce) {
        options(script, condition, ce);
        named(ce).forEach((name, command) -> command(script, condition, name, command));
    }

    private static void command(StringBuilder script, String condition, String name, CommandLine command) {
        script.append("complete -c ce -f -n ")
                .append(quoted(condition))
                .append(" -a ")
                .append(name)
                .append(" -d ")
                .append(quoted(description(command.getCommandSpec())))
                .append('\n');
    }

    private static void options(StringBuilder script, String condition, CommandLine command) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (option.hidden()) {
                continue;
            }
            script.append("complete -c ce -n ").append(quoted(condition));
            for (String name : option.names()) {
                script.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceFirst("^--?", ""));
            }
            script.append(option.arity().max() > 0 ? " -r" : "")
                    .append(" -d ")
                    .append(quoted(plain(option.description())))
                    .append('\n');
        }
    }

    /** Each command once, whatever its aliases. */
    private static Map<String, CommandLine> named(CommandLine command) {
        Map<String, CommandLine> named = new LinkedHashMap<>();
        command.getSubcommands().forEach((name, sub) -> {
            if (!named.containsValue(sub)) {
                named.put(name, sub);
            }
        });
        return named;
    }

    private static String description(CommandSpec command) {
        return plain(command.usageMessage().description());
    }

    /** The first sentence, on one line. */
    private static String plain(String... description) {
        String text = Arrays.stream(description)
                .limit(1)
                .map(line -> line.replaceAll("\\s+", " "))
                .collect(Collectors.joining());
        text = text.replaceAll("\\$\\{[^}]*}", "")
                .replaceFirst("([.;:]) .*", "$1")
                .replaceFirst("[.;:]$", "");
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 3) + "...";
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
