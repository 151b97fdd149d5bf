/** How the parts of a CE say what they read of the site's configuration. */
package org.gelato.ce.core.config;
