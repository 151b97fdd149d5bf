/** Questions of administrators to a CE, over HTTPS. */
package org.gelato.ce.cli.admin;
