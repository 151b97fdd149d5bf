/** Job wrappers that do not see the sandboxes, against a real CE. */
package org.gelato.ce.it.unshared;
