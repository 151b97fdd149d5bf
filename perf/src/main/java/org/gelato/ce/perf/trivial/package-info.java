/** The least server there is of the CE's kind, Tomcat with TLS and Metro with one operation: what a start costs before any of it is the CE's. */
package org.gelato.ce.perf.trivial;
