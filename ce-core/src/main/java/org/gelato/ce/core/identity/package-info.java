/** Who calls: grid identity, authorization, mapping to a local account. */
package org.gelato.ce.core.identity;
