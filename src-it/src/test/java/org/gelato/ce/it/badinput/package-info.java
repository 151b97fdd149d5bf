/** What a CE refuses, seen from outside: a clear error each time, and nothing of it kept. */
package org.gelato.ce.it.badinput;
