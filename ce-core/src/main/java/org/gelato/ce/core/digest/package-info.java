/** SHA-256, which every Java platform has. */
package org.gelato.ce.core.digest;
