/**
 * What batch systems that are reached by commands have in common: how commands are run, what became of a hand-over, and jobs in
 * bulk. A module brings its commands, its options and its messages.
 */
package org.gelato.ce.core.lrms.command;
