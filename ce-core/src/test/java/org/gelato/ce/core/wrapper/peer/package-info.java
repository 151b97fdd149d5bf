/** What a job's wrapper talks to, as servers of the tests. */
package org.gelato.ce.core.wrapper.peer;
