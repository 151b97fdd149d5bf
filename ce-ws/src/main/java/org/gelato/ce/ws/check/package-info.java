/** What {@code ce server check} checks before a start: each check yields findings, and none changes anything. What {@code ce server doctor} packs. */
package org.gelato.ce.ws.check;
