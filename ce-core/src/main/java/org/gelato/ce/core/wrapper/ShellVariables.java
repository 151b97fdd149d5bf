package org.gelato.ce.core.wrapper;

import java.util.Set;

/** What bash does with variables of its own. */
final class ShellVariables {
    /** Variables bash keeps for itself: it would refuse, change or act on a value, so they are set by {@code env}. */
    static final Set<String> OWN = Set.of(
            "_",
            "BASHOPTS",
            "BASHPID",
            "BASH_ALIASES",
            "BASH_ARGC",
            "BASH_ARGV",
            "BASH_ARGV0",
            "BASH_CMDS",
            "BASH_COMMAND",
            "BASH_COMPAT",
            "BASH_LINENO",
            "BASH_MONOSECONDS",
            "BASH_REMATCH",
            "BASH_SOURCE",
            "BASH_SUBSHELL",
            "BASH_TRAPSIG",
            "BASH_VERSINFO",
            "BASH_XTRACEFD",
            "COLUMNS",
            "COMP_WORDBREAKS",
            "DIRSTACK",
            "EPOCHREALTIME",
            "EPOCHSECONDS",
            "EUID",
            "FUNCNAME",
            "FUNCNEST",
            "GLOBIGNORE",
            "GROUPS",
            "HISTCMD",
            "IFS",
            "LINENO",
            "LINES",
            "OPTIND",
            "PIPESTATUS",
            "POSIXLY_CORRECT",
            "PPID",
            "RANDOM",
            "SECONDS",
            "SHELLOPTS",
            "SHLVL",
            "SRANDOM",
            "UID");

    private ShellVariables() {}
}
